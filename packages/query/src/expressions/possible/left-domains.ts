import { type Domain, isIntegral } from "../domain.ts";
import { columnId, type Expression } from "../expression.ts";
import { finiteDomain } from "../operators/domains.ts";
import { isNone, type PossibleValues, valuesOf } from "./possible-values.ts";
import { leftBy, type RequiredTest, testedBy } from "./required-tests.ts";

/**
 * Returns the domains of columns on the rows where all these tests hold, by columnId, of those columns that a test is about. A domain may hold
 * more than the values there, never less.
 */
export function leftDomains(tests: readonly RequiredTest[]): ReadonlyMap<string, Domain> {
  const left = new Map<string, { readonly of: Expression; readonly values: PossibleValues }>();
  for (const test of tests) {
    const of = testedBy(test.condition);
    if (of?.kind !== "column") continue;
    const id = columnId(of);
    const values = left.get(id)?.values ?? valuesOf(of.domain);
    left.set(id, { of, values: leftBy(values, test) });
  }
  return new Map([...left].map(([id, { of, values }]) => [id, domainOf(of.domain, values)]));
}

/** The smallest domain around what is left of another. */
function domainOf(domain: Domain, left: PossibleValues): Domain {
  if (domain.type === "boolean") return { ...domain, nullable: left.orNull };
  const nothing = isNone({ ...left, orNull: false });
  if (nothing || left.values !== null)
    return finiteDomain(domain.type, [
      ...(nothing ? [] : (left.values ?? [])),
      ...(left.orNull ? [null] : []),
    ]);
  if (domain.type === "text") return { ...domain, nullable: left.orNull };
  const { from, to } = left;
  // An end beyond the doubles, or one side alone of what has no bounds, leaves the bounds as they were.
  const bounded = Number.isFinite(from.at) && Number.isFinite(to.at);
  const bounds = bounded ? ([from.at, to.at] as const) : domain.bounds;
  return { ...domain, ...(isIntegral(domain) || bounded ? { bounds } : {}), nullable: left.orNull } as Domain;
}
