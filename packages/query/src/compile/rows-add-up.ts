import type { Dialect } from "../dialects/dialect.ts";
import type { Plan } from "../plan/plan.ts";
import { type QuestionRows, rowsFrom } from "./question-rows.ts";
import { groupBy, resultColumns } from "./result-columns.ts";
import { sumText } from "./sum-text.ts";

/** One flat aggregate: where each row is a unit, or each unit's rows are bounded already, a sum adds up rows. */
export function rowsAddUp(plan: Plan, rows: QuestionRows, dialect: Dialect): string {
  const text = sumText(rows, 1, dialect);
  const columns = resultColumns(plan, dialect, {
    keys: rows.keys,
    units: rows.units(null),
    sums: plan.sums.map(text.overRows),
  });
  return `SELECT ${columns} ${rowsFrom(rows)}${groupBy(plan)}`;
}
