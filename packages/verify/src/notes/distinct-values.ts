import { type Expression, type Plan, writeSql } from "@lethe/query";
import { filterOf } from "./cut-values.ts";
import { counted, inGroup } from "./words.ts";

/** Yields a note for each count of distinct values: what limits take from it is gone for good. */
export function* distinctValues(plan: Plan): Iterable<string> {
  if (!plan.contribution.enforced) return;
  for (const sum of plan.sums)
    if (sum.kind === "distinct")
      yield `distinct values of ${asAsked(sum.argument)} are counted from at most ${counted(sum.most, "value")} of each unit${inGroup(plan)}, picked by a keyed hash: where units have more, values may be missing from the count, and none is ever added`;
}

function asAsked(argument: Expression): string {
  const parts = filterOf(argument);
  return parts ? writeSql(parts.value) + filterWords(parts.condition) : writeSql(argument);
}

export function filterWords(condition: Expression): string {
  return ` FILTER (WHERE ${writeSql(condition)})`;
}
