import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";
import type { Query } from "../../sql/query.ts";
import { type QuestionRows, selectRows } from "../contributions/question-rows.ts";
import { narrowedKeys } from "./narrowed-keys.ts";
import { groupBy, resultColumns } from "./result-columns.ts";
import { sumText } from "./sum-text.ts";

/** Writes one flat aggregate: where each row is a unit, or each unit's rows are bounded already, a sum adds up rows. */
export function rowsAddUp(plan: Plan, rows: QuestionRows, dialect: Dialect): Query {
  const text = sumText(rows, 1, dialect);
  const columns = resultColumns(plan, dialect, {
    keys: narrowedKeys(plan, rows, dialect),
    units: rows.units(null),
    sums: plan.sums.map(text.overRows),
  });
  return selectRows(columns, rows, { groupBy: groupBy(plan) });
}
