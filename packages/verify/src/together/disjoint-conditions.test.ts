import { LetheError, parseRational } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import {
  evaluate,
  type Measures,
  measureAlone,
  measureJointly,
  type Plan,
  type SumColumn,
} from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { named } from "../derive/named.ts";
import { samplePlan } from "../testing/sample-release.ts";
import { jointAmiss } from "./joint-amiss.ts";
import { deriveJointSensitivity } from "./joint-sensitivity.ts";

/*
 * Counts, sums and averages of conditions of which a row meets at most one are one vector. Of random conditions, each person being a row, what the rows
 * of the whole domain add is listed, and the vector's norms are those of one row, or of the difference of two.
 */

const policyOf = (adjacency: string): string => `
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  t: { file: a.csv, unit: row, columns: {
    g: { type: text, categories: [a, b, c] }, x: { type: integer, bounds: [-2, 4] }, b: { type: boolean } } }
`;

const everyRow = ["a", "b", "c", null].flatMap((g) =>
  [-2, -1, 0, 1, 2, 3, 4, null].flatMap((x) => [true, false, null].map((b) => ({ g, x, b }))),
);

const atom = fc.oneof(
  fc.constantFrom("g = 'a'", "g = 'b'", "'c' = g", "g <> 'a'", "g IN ('a', 'b')", "g IN ('b', 'c')"),
  fc.constantFrom("g IS NULL", "g IS NOT NULL", "g IS DISTINCT FROM 'a'", "g IS NOT DISTINCT FROM 'b'"),
  fc.constantFrom("b", "NOT b", "b IS NULL", "b IS TRUE", "b IS NOT TRUE", "b IS FALSE", "x < x", "x = x"),
  fc
    .record({ by: fc.constantFrom("<", "<=", ">", ">=", "=", "<>"), at: fc.integer({ min: -2, max: 4 }) })
    .map(({ by, at }) => `x ${by} ${at}`),
  fc
    .record({ from: fc.integer({ min: -2, max: 4 }), width: fc.integer({ min: 0, max: 2 }) })
    .map(({ from, width }) => `x BETWEEN ${from} AND ${from + width}`),
  fc.integer({ min: -2, max: 4 }).map((at) => `${at} > x`),
);
const condition = fc.letrec<{ any: string; pair: string; not: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    { weight: 4, arbitrary: atom },
    { weight: 1, arbitrary: tie("pair") },
    { weight: 1, arbitrary: tie("not") },
  ),
  pair: fc
    .record({ left: tie("any"), by: fc.constantFrom("AND", "OR"), right: tie("any") })
    .map(({ left, by, right }) => `(${left} ${by} ${right})`),
  not: tie("any").map((inner) => `(NOT ${inner})`),
})).any;
const forms: readonly ((condition: string) => string)[] = [
  (when) => `COUNT(*) FILTER (WHERE ${when})`,
  (when) => `COUNTIF(${when})`,
  (when) => `COUNT(CASE WHEN ${when} THEN x END)`,
  (when) => `SUM(CASE WHEN ${when} THEN 1 ELSE 0 END)`,
  (when) => `SUM(CASE WHEN ${when} THEN x ELSE 0 END)`,
  (when) => `SUM(CASE WHEN ${when} THEN x END)`,
  (when) => `SUM(x + 5) FILTER (WHERE ${when})`,
  (when) => `SUM(CASE WHEN ${when} THEN 0 ELSE 1 END)`,
  (when) => `COUNT(CASE WHEN ${when} THEN NULL ELSE 1 END)`,
  (when) => `SUM(CASE WHEN b THEN 0 WHEN ${when} THEN 2 WHEN x = 1 THEN 0 END)`,
  (when) => `COUNT(CASE WHEN b THEN 0 WHEN ${when} THEN 1 END)`,
  (when) => `SUM(CASE WHEN x = 1 THEN 1 WHEN ${when} THEN 2 END)`,
  (when) => `AVG(x) FILTER (WHERE ${when})`,
  (when) => `SUM(CASE WHEN ${when} THEN x ELSE 0 END, contribution_bounds_per_row => (1, 3))`,
];
const aggregate = fc
  .record({ form: fc.constantFrom(...forms), when: condition })
  .map(({ form, when }) => form(when));
/** Two conditions of which the second excludes the first now and then. */
const pair = fc
  .record({ when: condition, form: fc.constantFrom(...forms), other: fc.constantFrom(...forms) })
  .map(({ when, form, other }) => [form(when), other(`NOT (${when})`)]);
const question = fc.record({
  aggregates: fc.oneof(
    fc.uniqueArray(aggregate, { minLength: 2, maxLength: 4 }),
    pair,
    pair.map((both) => ["COUNT(*)", ...both]),
  ),
  adjacency: fc.constantFrom("add-or-remove-one", "replace-one"),
});

/** What one row adds to a sum. */
function added(sum: SumColumn, row: (typeof everyRow)[number]): bigint {
  if (!("argument" in sum) || sum.argument === null) return 1n;
  const value = evaluate(sum.argument, row);
  if (value === null) return 0n;
  if (sum.kind === "count") return 1n;
  if (sum.kind !== "sum" && sum.kind !== "scaled-sum") throw new RangeError(sum.kind);
  const clamped = (x: bigint, lo: string, hi: string): bigint =>
    x < BigInt(lo) ? BigInt(lo) : x > BigInt(hi) ? BigInt(hi) : x;
  expect(sum.grid.exponent).toBe(0);
  const integer = clamped(BigInt(value as number), sum.grid.lo, sum.grid.hi);
  return sum.kind === "sum" ? clamped(integer, sum.lo, sum.hi) : integer - BigInt(sum.mid);
}

/** Returns the greatest ℓ1 and squared ℓ2 norms of a vector of the plan between neighbours. */
function farthest(plan: Plan, names: readonly string[]): readonly [bigint, bigint] {
  const members = names.map((name) => named(plan.measurements, name));
  const vectors = [
    members.map(() => 0n),
    ...everyRow.map((row) =>
      members.map(({ terms }) =>
        terms.reduce(
          (total, { sum, coefficient }) => total + BigInt(coefficient) * added(named(plan.sums, sum), row),
          0n,
        ),
      ),
    ),
  ];
  const [none, ...present] = vectors;
  // Without keys and conditions every unit has a row of its own, before and after.
  const different = [...new Map(present.map((vector) => [vector.join(), vector])).values()];
  const pairs =
    plan.adjacency === "replace-one"
      ? different.flatMap((one) => different.map((other) => [one, other]))
      : different.map((one) => [one, none]);
  const norm = (of: (x: bigint) => bigint): bigint =>
    pairs.reduce((most, [one, other]) => {
      const length = one!.reduce((total, x, at) => total + of(x - elementAt(other!, at)), 0n);
      return length > most ? length : most;
    }, 0n);
  return [norm((x) => (x < 0n ? -x : x)), norm((x) => x * x)];
}

/** Whether a vector holds what several expressions add, and not the cells of one column. */
function isOfConditions(plan: Plan, names: readonly string[]): boolean {
  const sums = names.flatMap((name) =>
    named(plan.measurements, name).terms.map(({ sum }) => named(plan.sums, sum)),
  );
  const read = sums.flatMap((sum) =>
    "argument" in sum && sum.argument ? [JSON.stringify(sum.argument)] : [],
  );
  return new Set(read).size > 1;
}

/** Plans a question; null where it is refused. */
async function planned(
  aggregates: readonly string[],
  adjacency: string,
  measures: Measures,
): Promise<Plan | null> {
  const select = aggregates.map((each, at) => `${each} AS a${at}`).join(", ");
  const asked = samplePlan(
    `SELECT ${select} FROM t`,
    policyOf(adjacency),
    { epsilon: parseRational("1") },
    measures,
  );
  return asked.catch((error) => {
    if (error instanceof LetheError && error.code !== "internal.invariant") return null;
    throw error;
  });
}

describe("conditions of which a row meets at most one", () => {
  it("move a vector no farther than is stated, and verify derives the same", async () => {
    let [vectors, reached] = [0, 0];
    await fc.assert(
      fc.asyncProperty(question, async ({ aggregates, adjacency }) => {
        const select = aggregates.join(", ");
        const plan = await planned(aggregates, adjacency, measureJointly);
        for (const names of plan?.joint ?? []) {
          const { l1, l2Squared } = named(plan!.measurements, elementAt(names, 0));
          const [far, farSquared] = farthest(plan!, names);
          expect(far, select).toBeLessThanOrEqual(BigInt(l1));
          expect(farSquared, select).toBeLessThanOrEqual(BigInt(l2Squared));
          if (!isOfConditions(plan!, names)) continue;
          vectors += 1;
          if (far === BigInt(l1)) reached += 1;
        }
        if (plan) expect([...jointAmiss(plan)], select).toEqual([]);
      }),
      { numRuns: 1000, seed: 11 },
    );
    // Of conditions that no row meets as they stand, nothing is reached.
    expect(vectors).toBeGreaterThan(100);
    expect(reached).toBeGreaterThan(0.7 * vectors);
  });

  it("move any vector no farther than verify derives, whatever is said to have one noise", async () => {
    let exact = 0;
    await fc.assert(
      fc.asyncProperty(question, async ({ aggregates, adjacency }) => {
        const plan = await planned(aggregates, adjacency, measureAlone);
        if (!plan) return;
        const derived = deriveJointSensitivity(plan.measurements, plan);
        const names = plan.measurements.map(({ name }) => name);
        const [far, farSquared] = farthest(plan, names);
        const select = aggregates.join(", ");
        expect(far, select).toBeLessThanOrEqual(derived.l1);
        expect(farSquared, select).toBeLessThanOrEqual(derived.l2Squared);
        if (far === derived.l1) exact += 1;
      }),
      { numRuns: 1000, seed: 12 },
    );
    expect(exact).toBeGreaterThan(300);
  });
});
