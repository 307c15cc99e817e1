import { narrowed } from "../expressions/build/narrowed.ts";
import { type Domain, isIntegral } from "../expressions/domain.ts";
import { columnId } from "../expressions/expression.ts";
import { leftDomains } from "../expressions/possible/left-domains.ts";
import { requiredTests } from "../expressions/possible/required-tests.ts";
import { heldConditions } from "./held-conditions.ts";
import type { GroupedRelation, Relation } from "./relation.ts";

/**
 * Returns the domains, by columnId, that the conditions within a relation leave of the columns of its rows: those that conditions are about, and
 * keys of subqueries, whose rows are those that the subquery's own conditions leave.
 */
export function heldDomains(relation: Relation): ReadonlyMap<string, Domain> {
  const tests = heldConditions(relation).flatMap((condition) => requiredTests({ condition, outcome: true }));
  return leftDomains(tests, domainsBelow(relation));
}

function domainsBelow(relation: Relation): ReadonlyMap<string, Domain> {
  switch (relation.kind) {
    case "table":
    case "list":
    case "union":
      return new Map();
    case "grouped":
      return domainsOfKeys(relation);
    case "filter":
    case "semijoin":
    case "windowed":
    case "marked":
      return domainsBelow(relation.of);
    case "join": {
      // NULL stands in the place of a side that an outer join misses.
      const { type, left, right } = relation;
      return new Map([
        ...(type === "right" || type === "full" ? [] : heldDomains(left)),
        ...(type === "left" || type === "full" ? [] : heldDomains(right)),
      ]);
    }
  }
}

/** Fractions are rounded to the grid of their column, so what is known of their values is not kept. */
function domainsOfKeys({ source, keys, of }: GroupedRelation): ReadonlyMap<string, Domain> {
  const inside = heldDomains(of);
  return new Map(
    Object.entries(keys).flatMap(([name, key]) => {
      const { domain } = narrowed(key, inside);
      const isKept = domain.type !== "number" || isIntegral(domain);
      return isKept ? [[columnId({ source, name }), domain] as const] : [];
    }),
  );
}
