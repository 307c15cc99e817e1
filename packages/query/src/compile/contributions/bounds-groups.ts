import type { Plan } from "../../plan/plan.ts";

/** Whether a unit's groups are bounded, and may be more than it may contribute to. A stage of a plan may have no keys. */
export function boundsGroups({ keys, contribution }: Plan): boolean {
  return contribution.choosesGroups && keys.program.kind !== "none";
}
