import { familyOf } from "../../aggregates/family-of.ts";
import { publicKeys } from "../../expressions/domain.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { Aggregate, NamedKey } from "../names/resolved-query.ts";

/**
 * Totals are made of sums over groups. Errors: query.unsupported for aggregates that do not add up, and where keys are data and
 * the groups by all of them are not asked.
 */
export function checkTotals(
  groupings: readonly (readonly string[])[],
  keys: readonly NamedKey[],
  aggregates: readonly Aggregate[],
): void {
  if (keys.some(({ expression }) => publicKeys(expression.domain) === null)) demandFinest(groupings, keys);
  const [left] = aggregates.flatMap((aggregate) => familyOf(aggregate).notAddedUp(aggregate) ?? []);
  if (left !== undefined && groupings.some((set) => set.length < keys.length))
    refuse(
      "query.unsupported",
      `${left} do not add up over groups, so they have no totals`,
      "ask each grouping by itself",
    );
}

/**
 * Groups whose keys are data are chosen by all keys of all groupings; totals are listed by the chosen ones.
 * Errors: query.unsupported where no grouping is by all keys.
 */
export function demandFinest(groupings: readonly (readonly string[])[], keys: readonly NamedKey[]): void {
  if (groupings.some((set) => set.length === keys.length)) return;
  const all = keys.map(({ name }) => name).join(", ");
  refuse(
    "query.unsupported",
    `groups of keys that are data are chosen by all keys together, (${all}), and the question does not ask for that grouping`,
    `add the grouping (${all}), or ask each grouping by itself`,
  );
}
