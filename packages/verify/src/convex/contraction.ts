import type { Constants } from "./constants.ts";
import type { Request } from "./convex.ts";

/** What is amiss where places of units are not public, or a step η could part two points: it needs a smooth loss and ηβ ≤ 2. */
export function contractionFindings(
  { adjacency, problem }: Request,
  { smoothness }: Constants,
  stepSize: number,
): readonly string[] {
  return [
    ...(problem.features.norm === "l2" ? [] : ["rows are not bounded in the norm of the theorem"]),
    ...(adjacency === "replace-one" ? [] : ["places of units are priced as if their number were public"]),
    ...(smoothness !== null && stepSize > 0 && stepSize * smoothness <= 2 * (1 + 1e-9)
      ? []
      : ["a step may part two points: it is longer than 2/β, or the loss is not smooth"]),
  ];
}
