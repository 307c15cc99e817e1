import { sumKindOf } from "../../aggregates/family-of.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan, SumColumn } from "../../plan/plan.ts";
import type { QuestionRows } from "../contributions/question-rows.ts";
import { distinctValues } from "./distinct-values.ts";
import { groupBy, resultColumns } from "./result-columns.ts";
import type { UnitSum } from "./sum-text.ts";
import { unitsOwnRows } from "./units-own-rows.ts";

/**
 * Units' sums beside their distinct values: a row a group of each, added up group by group, so that a group may be
 * missing in any of them.
 */
export function withDistinct(
  plan: Plan,
  rows: QuestionRows,
  dialect: Dialect,
): { readonly sql: string; readonly needsSeed: boolean } {
  const summed = plan.sums.filter(isUnitSum);
  if (summed.length === plan.sums.length) return unitsOwnRows(plan, summed, rows, dialect);
  const isSummed = summed.length > 0 || plan.keys.program.kind === "private";
  const parts = [
    ...(isSummed ? [besideNothing(plan, summed, rows, dialect)] : []),
    ...plan.sums.flatMap((sum, at) => {
      if (isUnitSum(sum)) return [];
      const sums = plan.sums.map((_, other) => (other === at ? "count(DISTINCT value.v)" : "0"));
      const columns = resultColumns(plan, dialect, { keys: keysOf(plan, "value"), units: "0", sums });
      return [
        `SELECT ${columns} FROM (${distinctValues(plan, sum, rows, dialect)}) AS value${groupBy(plan)}`,
      ];
    }),
  ];
  const columns = resultColumns(plan, dialect, {
    keys: keysOf(plan, "part"),
    units: "sum(part.units)",
    sums: plan.sums.map((_, at) => `sum(part.s${at})`),
  });
  return {
    sql: `SELECT ${columns} FROM (${parts.join(" UNION ALL ")}) AS part${groupBy(plan)}`,
    needsSeed: true,
  };
}

const isUnitSum = (sum: SumColumn): sum is UnitSum => sumKindOf(sum).overUnit !== null;

function keysOf(plan: Plan, table: string): readonly string[] {
  return plan.keys.expressions.map((_, at) => `${table}.k${at}`);
}

/** The sums over units in the places that they have in the plan. */
function besideNothing(plan: Plan, summed: readonly UnitSum[], rows: QuestionRows, dialect: Dialect): string {
  const { sql } = unitsOwnRows(plan, summed, rows, dialect);
  const sums = plan.sums.map((sum) => (isUnitSum(sum) ? `summed.s${summed.indexOf(sum)}` : "0"));
  const columns = resultColumns(plan, dialect, { keys: keysOf(plan, "summed"), units: "summed.units", sums });
  return `SELECT ${columns} FROM (${sql}) AS summed`;
}
