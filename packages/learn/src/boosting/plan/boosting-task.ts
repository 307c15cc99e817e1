import type { ModelColumn } from "../../model/model.ts";
import type { BoostingDescription } from "./boosting-description.ts";

/** A training as a file describes it, its columns resolved by a policy: all but its price and its unit, which the policy and the asker state. */
export interface BoostingTask
  extends Pick<BoostingDescription, "bins" | "rounds" | "rate" | "clip" | "countShare" | "shrinkage"> {
  readonly kind: "boosting";
  readonly version: 1;
  /** The table or view of the policy. */
  readonly source: string;
  /** A condition on its rows, as SQL; null for all. */
  readonly where: string | null;
  /** A number, or a column of two categories. */
  readonly target: ModelColumn;
  readonly features: readonly ModelColumn[];
}
