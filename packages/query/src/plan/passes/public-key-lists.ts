import type { KeyValue } from "@lethe/core/mechanisms";
import { narrowed } from "../../expressions/build/narrowed.ts";
import { type Domain, publicKeys } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { scalarsOf } from "../../expressions/operators/domains.ts";
import { leftDomains } from "../../expressions/possible/left-domains.ts";
import { outcomeOf } from "../../expressions/possible/outcome-of.ts";
import { type RequiredTest, requiredTests } from "../../expressions/possible/required-tests.ts";
import { heldConditions, meetingConditions } from "../../relations/held-conditions.ts";
import type { NamedKey, ResolvedQuery } from "../../resolve/names/resolved-query.ts";

/** The public values of keys by the keys' names; null for keys that are data. */
export type PublicKeyLists = ReadonlyMap<string, readonly KeyValue[] | null>;

/** Returns the public values of each key of a question by its name, NULL last; null where they are data. */
export function everyPublicKey({ groupBy }: Pick<ResolvedQuery, "groupBy">): PublicKeyLists {
  return new Map(groupBy.map(({ name, expression }) => [name, publicKeys(expression.domain)]));
}

/**
 * Returns the public values of each key that a question asks about. Values that its conditions exclude, as far as that follows from the question and
 * the policy alone, are left out. Only groups of this list are released, so an error here would lose rows and no privacy.
 */
export function publicKeyLists({
  from,
  where,
  groupBy,
}: Pick<ResolvedQuery, "from" | "where" | "groupBy">): PublicKeyLists {
  const conditions = [...heldConditions(from), ...(where === null ? [] : [where])];
  const tests = conditions.flatMap((condition) => requiredTests({ condition, outcome: true }));
  const domains = leftDomains(tests);
  const meeting = meetingConditions(from).flatMap((condition) => requiredTests({ condition, outcome: true }));
  return new Map(
    groupBy.map((key) => {
      const left = valuesLeft(key, tests, domains);
      // A group of NULL that no row can ever meet is none: no public table is known to have it.
      const met = meeting.length > 0 ? valuesLeft(key, meeting, leftDomains(meeting)) : left;
      return [key.name, left && met && !met.includes(null) ? left.filter((value) => value !== null) : left];
    }),
  );
}

function valuesLeft(
  { expression }: NamedKey,
  tests: readonly RequiredTest[],
  domains: ReadonlyMap<string, Domain>,
): readonly KeyValue[] | null {
  const keys = publicKeys(expression.domain);
  if (keys === null || tests.length === 0) return keys;
  const scalars = scalarsOf(expression.domain) ?? [];
  const possible = possibleScalars(expression, domains);
  const judged = tests.flatMap(({ condition, outcome }) => {
    const at = outcomeOf(condition, expression);
    return at === null ? [] : [{ at, outcome }];
  });
  return keys.filter((_, place) => {
    const value = scalars[place] ?? null;
    if (possible && !possible.has(value)) return false;
    return judged.every(({ at, outcome }) => at(value) === outcome);
  });
}

function possibleScalars(
  expression: Expression,
  domains: ReadonlyMap<string, Domain>,
): ReadonlySet<string | number | boolean | null> | null {
  const scalars = scalarsOf(narrowed(expression, domains).domain);
  return scalars && new Set(scalars);
}
