import type { KeyValue } from "@lethe/core/mechanisms";
import { narrowed } from "../../expressions/build/narrowed.ts";
import { type Domain, publicKeys } from "../../expressions/domain.ts";
import { columnId, type Expression } from "../../expressions/expression.ts";
import { scalarsOf } from "../../expressions/operators/domains.ts";
import { leftDomains } from "../../expressions/possible/left-domains.ts";
import { outcomeOf } from "../../expressions/possible/outcome-of.ts";
import { type RequiredTest, requiredTests } from "../../expressions/possible/required-tests.ts";
import { heldConditions, meetingConditions } from "../../relations/held-conditions.ts";
import { everyTrue } from "../../relations/joined-rows/join-graph.ts";
import type { Relation } from "../../relations/relation.ts";
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
  const there = presentWhereMet(from);
  return new Map(
    groupBy.map((key) => {
      const left = valuesLeft(key, tests, domains);
      // A group of NULL that no row can ever meet is none: no public table is known to have it.
      const isMet = there.size === 0 || narrowed(key.expression, there).domain.nullable;
      return [key.name, left && !isMet ? left.filter((value) => value !== null) : left];
    }),
  );
}

const comparisons: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);

/** Returns the domains of columns that are not NULL wherever a private row meets a public one whose groups are all answered. */
function presentWhereMet(from: Relation): ReadonlyMap<string, Domain> {
  const present = new Map<string, Domain>();
  for (const condition of meetingConditions(from).flatMap(everyTrue)) {
    if (condition.kind !== "call" || !comparisons.has(condition.operator)) continue;
    for (const side of condition.args)
      if (side.kind === "column") present.set(columnId(side), { ...side.domain, nullable: false });
  }
  return present;
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
