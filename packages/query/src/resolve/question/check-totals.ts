import { publicKeys } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { Aggregate } from "../names/resolved-query.ts";

/** Whether a total over groups is the sum of what is measured of them: a unit, or a value, may be in several groups. */
const addsUp: Readonly<Record<Aggregate["kind"], boolean>> = {
  count: true,
  "count-units": false,
  "count-units-with": false,
  "count-distinct": false,
  sum: true,
  avg: true,
  variance: true,
  stddev: true,
  covariance: true,
  quantile: false,
};

const names: Readonly<Partial<Record<Aggregate["kind"], string>>> = {
  "count-units": "counts of distinct units",
  "count-units-with": "counts of distinct units",
  "count-distinct": "counts of distinct values",
  quantile: "quantiles",
};

/**
 * Totals are made of sums over groups. Errors: query.unsupported for aggregates that do not add up, and where keys are data and
 * the groups by all of them are not asked.
 */
export function checkTotals(
  groupings: readonly (readonly number[])[],
  keys: readonly Expression[],
  aggregates: readonly Aggregate[],
): void {
  if (keys.some((key) => publicKeys(key.domain) === null)) demandFinest(groupings, keys);
  const left = aggregates.find(({ kind }) => !addsUp[kind]);
  if (left && groupings.some((set) => set.length < keys.length))
    refuse(
      "query.unsupported",
      `${names[left.kind]} do not add up over groups, so they have no totals`,
      "ask each grouping by itself",
    );
}

/**
 * Groups whose keys are data are chosen by all keys of all groupings; totals are listed by the chosen ones.
 * Errors: query.unsupported where no grouping is by all keys.
 */
export function demandFinest(groupings: readonly (readonly number[])[], keys: readonly Expression[]): void {
  if (groupings.some((set) => set.length === keys.length)) return;
  const all = keys.map(writeSql).join(", ");
  refuse(
    "query.unsupported",
    `keys that are data are chosen by groups of all keys, (${all}), which the question does not ask for`,
    `add the grouping (${all}), or ask each grouping by itself`,
  );
}
