import type { Plan } from "@lethe/query";
import { counted } from "./words.ts";

/** How much of a unit counts. */
export function* boundedUnits({ contribution, keys }: Plan): Iterable<string> {
  const { bound, enforced, groups, rows } = contribution;
  if (!enforced) return;
  const much =
    bound === "rows-before-filter"
      ? `with at most ${counted(groups * rows, "row")} of the table, chosen before the filter`
      : keys.program.kind === "none"
        ? `with at most ${counted(rows, "row")}`
        : `in at most ${counted(groups, "group")} and with at most ${counted(rows, "row")} in each`;
  yield `each unit counts ${much}; intervals hold for the answer so bounded, not for what lies beyond the bounds`;
}
