import { elementAt } from "@lethe/core/numeric";
import { sumKindOf } from "../../aggregates/family-of.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { NamedSum, Plan } from "../../plan/plan.ts";
import { columnsOf, type Query, rowsOf, select, unionAll } from "../../sql/query.ts";
import type { LimitedGroups } from "../contributions/limited-groups.ts";
import type { QuestionRows } from "../contributions/question-rows.ts";
import { addedUp } from "./added-up.ts";
import { distinctValues } from "./distinct-values.ts";
import { groupBy, resultColumns } from "./result-columns.ts";
import { type DistinctSum, sumText, type UnitSum } from "./sum-text.ts";
import { unitsOwnRows } from "./units-own-rows.ts";

/**
 * Units' sums beside their distinct values: a row a group of each, added up group by group, so that a group may be
 * missing in any of them. `limited` are the rows of all units, or of some of them after others.
 */
export function withDistinct(plan: Plan, limited: readonly LimitedGroups[], dialect: Dialect): Query {
  const summed = plan.sums.filter(isUnitSum);
  const unitSums = (): Query =>
    addedUp(
      limited.map((rows) =>
        summed.length === plan.sums.length
          ? unitsOwnRows(plan, summed, rows, dialect)
          : besideNothing(plan, summed, rows, dialect),
      ),
      plan,
      dialect,
    );
  if (summed.length === plan.sums.length) return unitSums();
  const { write } = dialect;
  const zero = write.integer(0);
  const ofValues: QuestionRows = {
    ...elementAt(limited, 0).rows,
    valued: () => "value.v",
    gridded: () => "value.v",
  };
  const text = sumText(ofValues, 1, dialect);
  const isSummed = summed.length > 0 || plan.keys.program.kind === "private";
  const parts = [
    ...(isSummed ? [unitSums()] : []),
    ...[...sharingValues(plan.sums)].map((sharing) => {
      const sums = plan.sums.map((sum) =>
        sharing.some(({ name }) => name === sum.name) ? text.overRows(sum) : zero,
      );
      const columns = resultColumns(plan, dialect, { keys: keysOf(plan, "value"), units: zero, sums });
      const values = limited.map((rows) => distinctValues(plan, elementAt(sharing, 0), rows, dialect));
      return select(columns, rowsOf(unionAll(values), "value"), { groupBy: groupBy(plan) });
    }),
  ];
  const columns = resultColumns(plan, dialect, {
    keys: keysOf(plan, "part"),
    units: write.sum("part.units"),
    sums: plan.sums.map((_, at) => write.sum(`part.s${at}`)),
  });
  return select(columns, rowsOf(unionAll(parts), "part"), { groupBy: groupBy(plan) });
}

/** Returns the sums over distinct values, those of the same values of units together. */
function sharingValues(sums: readonly NamedSum[]): Iterable<readonly NamedDistinctSum[]> {
  const sharing = new Map<string, readonly NamedDistinctSum[]>();
  for (const sum of sums) {
    if (isUnitSum(sum)) continue;
    const values = JSON.stringify([sumKindOf(sum).values(sum), sum.most]);
    sharing.set(values, [...(sharing.get(values) ?? []), sum]);
  }
  return sharing.values();
}

type NamedDistinctSum = Extract<NamedSum, DistinctSum>;

const isUnitSum = (sum: NamedSum): sum is Extract<NamedSum, UnitSum> => sumKindOf(sum).overUnit !== null;

function keysOf(plan: Plan, table: string): readonly string[] {
  return columnsOf(
    table,
    plan.keys.parts.map((_, at) => `k${at}`),
  );
}

/** The sums over units in the places that they have in the plan. */
function besideNothing(plan: Plan, summed: readonly UnitSum[], rows: LimitedGroups, dialect: Dialect): Query {
  const query = unitsOwnRows(plan, summed, rows, dialect);
  const zero = dialect.write.integer(0);
  const sums = plan.sums.map((sum) => (isUnitSum(sum) ? `summed.s${summed.indexOf(sum)}` : zero));
  const columns = resultColumns(plan, dialect, { keys: keysOf(plan, "summed"), units: "summed.units", sums });
  return select(columns, rowsOf(query, "summed"));
}
