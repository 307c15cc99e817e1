import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";
import { columnsOf, named, places, type Query, rowsOf, select, withTables } from "../../sql/query.ts";
import { leastGroups } from "../contributions/kept-groups.ts";
import type { LimitedGroups } from "../contributions/limited-groups.ts";
import { selectRows } from "../contributions/question-rows.ts";
import { narrowedKeys } from "./narrowed-keys.ts";
import { groupBy, resultColumns } from "./result-columns.ts";
import { rowsWithinBounds, sumText, type UnitSum } from "./sum-text.ts";

/**
 * Compiles sums where a unit owns many rows: keep at most k groups a unit, those that come first in an order that depends on the
 * unit's name, the seed and the group alone; aggregate each unit's rows a group, clamp what is left of each unit, sum over units.
 */
export function unitsOwnRows(
  plan: Plan,
  sums: readonly UnitSum[],
  { rows, sortedBy, kept, pairs }: LimitedGroups,
  dialect: Dialect,
): Query {
  const { rows: rowsPerGroup } = plan.contribution;
  const { write } = dialect;
  const within = kept?.exact ? rowsWithinBounds(sums, rowsPerGroup) : null;
  const keys = rows.keys.map((_, at) => `k${at}`);
  // Units with too few rows for any group to exceed its bound need no grouping by unit: their u is NULL, and their rows add up directly.
  const merged = within === null || kept === null ? null : kept.extraRowsBelow(within);
  const text = sumText(rows, rowsPerGroup, dialect, merged === null ? null : write.isMissing("unit.u"));
  const pieces: string[] = [];
  const piece = (aggregate: string): string => {
    let at = pieces.indexOf(aggregate);
    if (at < 0) at = pieces.push(aggregate) - 1;
    return `unit.p${at}`;
  };
  const values = sums.map((sum) => text.overUnits(sum, piece));

  const unit = merged === null ? rows.unit : write.caseOf([[write.not(merged), rows.unit]]);
  const grouped = pairs === null ? rows.keys : narrowedKeys(plan, rows, dialect);
  const groups = [named(unit, "u"), ...sortedBy, ...grouped.map((key, at) => named(key, `k${at}`))];
  const owned = [
    ...groups,
    ...pieces.map((p, at) => named(p, `p${at}`)),
    ...(kept === null || kept.exact ? [] : [named(write.min(kept.place), "place")]),
  ];
  const perUnit = selectRows(owned, rows, { joins: kept?.joins ?? [], groupBy: places(groups.length) });
  const shown = [...keys, ...pieces.map((_, at) => `p${at}`)];
  const leftOf = (all: Query): Query => {
    if (pairs !== null) return pairs({ query: all, unit: rows.unit, columns: shown, isOneEach: true });
    return kept === null || kept.exact ? all : leastGroups(plan, all, shown, keys, dialect);
  };
  const columns = resultColumns(plan, dialect, {
    keys: columnsOf("unit", keys),
    units: write.count(),
    sums: values,
  });
  return withTables(
    rows.before,
    select(columns, rowsOf(leftOf(perUnit), "unit"), { groupBy: groupBy(plan) }),
  );
}
