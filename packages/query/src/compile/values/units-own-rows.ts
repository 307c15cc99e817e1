import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";
import { boundsGroups } from "../contributions/bounds-groups.ts";
import { keptGroups, leastGroups } from "../contributions/kept-groups.ts";
import { type QuestionRows, rowsFrom } from "../contributions/question-rows.ts";
import { groupBy, resultColumns } from "./result-columns.ts";
import { rowsWithinBounds, sumText, type UnitSum } from "./sum-text.ts";

/**
 * Compiles sums where a unit owns many rows: keep at most k groups a unit, those that come first in an order that depends on the
 * unit's name, the seed and the group alone; aggregate each unit's rows a group, clamp what is left of each unit, sum over units.
 */
export function unitsOwnRows(
  plan: Plan,
  sums: readonly UnitSum[],
  rows: QuestionRows,
  dialect: Dialect,
): { readonly sql: string; readonly needsSeed: boolean } {
  const { rows: rowsPerGroup } = plan.contribution;
  const kept = keptGroups(plan, rows, dialect);
  const within = kept?.exact ? rowsWithinBounds(sums, rowsPerGroup) : null;
  const keys = rows.keys.map((_, at) => `k${at}`);
  // Units with too few rows for any group to exceed its bound need no grouping by unit: their u is NULL, and their rows add up directly.
  const merged = within === null || kept === null ? null : kept.extraRowsBelow(within);
  const text = sumText(rows, rowsPerGroup, dialect, merged === null ? null : "unit.u IS NULL");
  const pieces: string[] = [];
  const piece = (aggregate: string): string => {
    let at = pieces.indexOf(aggregate);
    if (at < 0) at = pieces.push(aggregate) - 1;
    return `unit.p${at}`;
  };
  const values = sums.map((sum) => `coalesce(sum(${text.overUnit(sum, piece)}), 0)`);

  const place = rows.placed ?? [];
  const owned = [
    `${merged === null ? rows.unit : `CASE WHEN NOT ${merged} THEN ${rows.unit} END`} AS u`,
    ...place,
    ...rows.keys.map((key, at) => `${key} AS k${at}`),
    ...pieces.map((p, at) => `${p} AS p${at}`),
    ...(kept === null || kept.exact ? [] : [`min(${kept.place}) AS place`]),
  ];
  const places = ["u", ...place, ...keys].map((_, at) => at + 1);
  const perUnit = `SELECT ${owned.join(", ")} ${kept?.from ?? rowsFrom(rows)} GROUP BY ${places.join(", ")}`;
  const shown = [...keys, ...pieces.map((_, at) => `p${at}`)];
  const from = kept === null || kept.exact ? perUnit : leastGroups(plan, perUnit, shown, keys, dialect);
  const columns = resultColumns(plan, dialect, {
    keys: keys.map((key) => `unit.${key}`),
    units: "count(*)",
    sums: values,
  });
  return {
    sql: `${rows.before}SELECT ${columns} FROM (${from}) AS unit${groupBy(plan)}`,
    needsSeed: boundsGroups(plan),
  };
}
