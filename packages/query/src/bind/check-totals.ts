import type { Aggregate } from "./bound-query.ts";
import { publicKeys } from "./domain.ts";
import type { Expression } from "./expression.ts";
import { refuse } from "./refuse.ts";
import { writeSql } from "./write-sql.ts";

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

/** Totals are sums of released groups. Errors: query.unsupported for aggregates that do not add up, and for keys that are data. */
export function checkTotals(
  groupings: readonly (readonly number[])[],
  keys: readonly Expression[],
  aggregates: readonly Aggregate[],
): void {
  const hidden = keys.find((key) => publicKeys(key.domain) === null);
  if (hidden)
    refuse(
      "query.unsupported",
      `several groupings at once take public keys, and those of ${writeSql(hidden)} are data: groups that are not released would be missing from the totals`,
      "ask each grouping by itself, or declare categories in the policy",
    );
  const left = aggregates.find(({ kind }) => !addsUp[kind]);
  if (left && groupings.some((set) => set.length < keys.length))
    refuse(
      "query.unsupported",
      `${names[left.kind]} do not add up over groups, so they have no totals`,
      "ask each grouping by itself",
    );
}
