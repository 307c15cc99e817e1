import type { KeyValue } from "@lethe/core/mechanisms";
import { narrowed } from "../../expressions/build/narrowed.ts";
import {
  type Domain,
  isIntegral,
  isTime,
  type NumberDomain,
  publicKeys,
  type TimeDomain,
} from "../../expressions/domain.ts";
import { columnId, type Expression } from "../../expressions/expression.ts";
import { scalarsOf } from "../../expressions/operators/domains.ts";
import { maxTimeValues } from "../../expressions/operators/times.ts";
import { domainLeft, leftDomains } from "../../expressions/possible/left-domains.ts";
import { outcomeOf } from "../../expressions/possible/outcome-of.ts";
import { type RequiredTest, requiredTests, testedBy } from "../../expressions/possible/required-tests.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { heldConditions, meetingConditions } from "../../relations/held-conditions.ts";
import { heldDomains } from "../../relations/held-domains.ts";
import { everyTrue } from "../../relations/joined-rows/join-graph.ts";
import type { Relation } from "../../relations/relation.ts";
import type { NamedKey, ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { enumerableSpan } from "../../resolve/names/scope.ts";

/** The public values of keys by the keys' names; null for keys that are data. */
export type PublicKeyLists = ReadonlyMap<string, readonly KeyValue[] | null>;

/** Returns the public values of each key of a question by its name, NULL last; null where they are data. */
export function everyPublicKey({ groupBy }: Pick<ResolvedQuery, "groupBy">): PublicKeyLists {
  return new Map(groupBy.map(({ name, expression }) => [name, publicKeys(expression.domain)]));
}

/**
 * Returns the public values of each key that a question asks about. Values that its conditions exclude, as far as that follows from the question and
 * the policy alone, are left out. Times and whole numbers of which conditions and bounds leave few are public too. Only groups of this list are released, so an error here would lose rows and no privacy.
 */
export function publicKeyLists({
  from,
  where,
  groupBy,
}: Pick<ResolvedQuery, "from" | "where" | "groupBy">): PublicKeyLists {
  const conditions = [...heldConditions(from), ...(where === null ? [] : [where])];
  const tests = conditions.flatMap((condition) => requiredTests({ condition, outcome: true }));
  const domains = leftDomains(tests, heldDomains(from));
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
  const left = domainOfKey(expression, tests, domains);
  const domain =
    publicKeys(expression.domain) === null && becomesPublic(expression) ? left : expression.domain;
  const keys = publicKeys(domain);
  if (keys === null) return null;
  const scalars = scalarsOf(domain) ?? [];
  const possible = scalarsOf(left);
  const judged = tests.flatMap(({ condition, outcome }) => {
    const at = outcomeOf(condition, expression);
    return at === null ? [] : [{ at, outcome }];
  });
  return keys.filter((_, place) => {
    const value = scalars[place] ?? null;
    if (possible && !possible.includes(value)) return false;
    return judged.every(({ at, outcome }) => at(value) === outcome);
  });
}

/** Whether conditions that leave few values of a key make it public: of times, of columns of whole numbers, and of numbers computed in steps. */
function becomesPublic({ kind, domain }: Expression): boolean {
  return isTime(domain) || (domain.type === "number" && (kind === "call" || isIntegral(domain)));
}

/** What conditions leave of a key: conditions on its columns, and on the key itself. */
function domainOfKey(
  expression: Expression,
  tests: readonly RequiredTest[],
  domains: ReadonlyMap<string, Domain>,
): Domain {
  const { domain } = narrowed(expression, domains);
  if (expression.kind === "column") return listed(domain);
  const key = writeSql(expression);
  const own = tests.filter(({ condition }) => {
    const tested = testedBy(condition);
    return tested !== null && writeSql(tested) === key;
  });
  return isTime(domain) ? listed(domainLeft(domain, own)) : domain;
}

/** A domain of few days or whole numbers, as the list of these. */
function listed(domain: Domain): Domain {
  if (!isIntegral(domain) || domain.type === "timestamp") return domain;
  const { bounds, values } = domain as NumberDomain | TimeDomain;
  const most = domain.type === "date" ? maxTimeValues : enumerableSpan;
  if (values !== null || bounds === null) return domain;
  const [first, last] = bounds;
  if (!(last - first < most)) return domain;
  return { ...domain, values: Array.from({ length: last - first + 1 }, (_, at) => first + at) } as Domain;
}
