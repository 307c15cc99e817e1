import { elementAt } from "@lethe/core/numeric";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { Plan } from "../../plan/plan.ts";
import { isIntegerKey } from "../../plan/release-program.ts";
import type { Query } from "../../sql/query.ts";
import { type QuestionRows, selectRows } from "../contributions/question-rows.ts";
import { groupBy, resultColumns } from "./result-columns.ts";
import { sumText } from "./sum-text.ts";

/** Writes one flat aggregate: where each row is a unit, or each unit's rows are bounded already, a sum adds up rows. */
export function rowsAddUp(plan: Plan, rows: QuestionRows, dialect: Dialect): Query {
  const text = sumText(rows, 1, dialect);
  const columns = resultColumns(plan, dialect, {
    keys: rows.keys.map((key, at) => narrowed(key, elementAt(plan.keys.parts, at).expression, dialect)),
    units: rows.units(null),
    sums: plan.sums.map(text.overRows),
  });
  return selectRows(columns, rows, { groupBy: groupBy(plan) });
}

/**
 * Returns a key in a narrower type where its domain bounds its integers, which holds for every row: engines may group by such a
 * type faster.
 */
function narrowed(key: string, expression: Expression, dialect: Dialect): string {
  const { domain } = expression;
  if (domain.type !== "number" || !domain.bounds || !isIntegerKey(expression)) return key;
  return dialect.narrow(key, ...domain.bounds);
}
