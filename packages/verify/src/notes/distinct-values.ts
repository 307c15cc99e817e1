import { type Expression, type Plan, writeSql } from "@lethe/query";
import { filterOf } from "./cut-values.ts";
import { counted, inGroup } from "./words.ts";

/** Yields a note for each aggregate of distinct values: what limits take from it is gone for good. */
export function* distinctValues(plan: Plan): Iterable<string> {
  if (!plan.contribution.enforced) return;
  const aggregated = new Set<string>();
  for (const sum of plan.sums) {
    if (sum.kind === "distinct-powers")
      aggregated.add(
        `aggregates of distinct values of ${filtered(sum.argument)} use at most ${counted(sum.most, "value")} of each unit${inGroup(plan)}, chosen by a keyed hash; if a unit has more, those that no other unit brings are left out`,
      );
    if (sum.kind === "distinct")
      yield `${asAsked(sum.argument)} uses at most ${counted(sum.most, "value")} of each unit${inGroup(plan)}, chosen by a keyed hash; if a unit has more, the count can only become too small`;
  }
  yield* aggregated;
}

function filtered(argument: Expression): string {
  const parts = filterOf(argument);
  return `${writeSql(parts?.value ?? argument)}${parts ? filterWords(parts.condition) : ""}`;
}

function asAsked(argument: Expression): string {
  const parts = filterOf(argument);
  const counted = `COUNT(DISTINCT ${writeSql(parts?.value ?? argument)})`;
  return parts ? counted + filterWords(parts.condition) : counted;
}

export function filterWords(condition: Expression): string {
  return ` FILTER (WHERE ${writeSql(condition)})`;
}
