import type { Plan } from "@lethe/query";
import { counted } from "./words.ts";

/** How much of a unit counts. */
export function* boundedUnits({ contribution, keys }: Plan): Iterable<string> {
  const { limit, enforced, groups, rows } = contribution;
  if (!enforced) return;
  const much =
    limit === "rows-before-filter"
      ? `at most ${counted(groups * rows, "row")} of the table, chosen before the filter`
      : keys.program.kind === "none"
        ? `at most ${counted(rows, "row")}`
        : `to at most ${counted(groups, "group")}, with at most ${counted(rows, "row")} in each`;
  yield `each unit contributes ${much}; intervals are for the answer within limits and bounds, and do not cover what lies beyond them`;
}
