import type { RowTask } from "../../model/row-task.ts";
import type { BoostingDescription } from "./boosting-description.ts";

/** A training as a file describes it, its columns resolved by a policy: all but its price and its unit, which the policy and the asker state. */
export interface BoostingTask
  extends RowTask,
    Pick<BoostingDescription, "bins" | "rounds" | "rate" | "clip" | "countShare" | "shrinkage"> {
  readonly kind: "boosting";
  readonly version: 1;
}
