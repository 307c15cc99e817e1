import { type Domain, isIntegral } from "../domain.ts";
import { type ColumnExpression, columnId } from "../expression.ts";
import { finiteDomain } from "../operators/domains.ts";
import { isNone, type PossibleValues, valuesOf } from "./possible-values.ts";
import { leftBy, type RequiredTest, testedBy } from "./required-tests.ts";
import { timesBelow } from "./times-below.ts";

/**
 * Returns the domains of columns on the rows where all these tests hold, by columnId: those of `known`, and those of the columns that a test is
 * about. A domain may hold more than the values there, never less.
 */
export function leftDomains(
  tests: readonly RequiredTest[],
  known: ReadonlyMap<string, Domain> = new Map(),
): ReadonlyMap<string, Domain> {
  const left = new Map<string, { readonly of: Domain; readonly values: PossibleValues }>();
  const narrow = (column: ColumnExpression, by: (values: PossibleValues) => PossibleValues): void => {
    const id = columnId(column);
    const { of, values } = left.get(id) ?? started(known.get(id) ?? column.domain);
    left.set(id, { of, values: by(values) });
  };
  for (const test of tests) {
    const tested = testedBy(test.condition);
    if (tested === null) continue;
    if (tested.kind === "column") narrow(tested, (values) => leftBy(values, test));
    const below = timesBelow(tested, leftBy(valuesOf(tested.domain), test));
    if (below) narrow(below.column, below.within);
  }
  return new Map([...known, ...[...left].map(([id, { of, values }]) => [id, domainOf(of, values)] as const)]);
}

const started = (of: Domain): { readonly of: Domain; readonly values: PossibleValues } => ({
  of,
  values: valuesOf(of),
});

/** Returns the smallest domain around the values of a domain that tests of it leave. */
export function domainLeft(domain: Domain, tests: readonly RequiredTest[]): Domain {
  if (tests.length === 0) return domain;
  return domainOf(domain, tests.reduce(leftBy, valuesOf(domain)));
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
