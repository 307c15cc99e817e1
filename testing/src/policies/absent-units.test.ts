import { type Policy, readPolicy, releaseProgram } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { planned } from "../planned.ts";
import { keyName, type RawRow, referenceGroups } from "../reference-evaluator.ts";
import { distanceOf } from "../refuted-claims.ts";

/*
 * Brute force under replace-one: over all that a unit may have in a table, nothing included where the policy has another private table,
 * no two are farther apart than the planner derived, and for COUNT and SUM some two are exactly that far.
 */

const policyOf = (unit: string, beside: string): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: replace-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-5 }
tables:
  people:
    file: people.parquet
    unit: ${unit}
${unit === "row" ? "" : "    max_rows_contributed_per_group: 2\n"}
    columns:
      pid: { type: text }
      x: { type: integer, bounds: [50, 60], default: 55 }
      y: { type: integer, bounds: [-2, 5] }
      g: { type: text, categories: [a, b] }
${beside}`);

const beside: Readonly<Record<string, string>> = {
  "no other table": "",
  "a public table":
    "  codes: { file: codes.csv, public: true, key: code, columns: { code: { type: text } } }\n",
  "a table of rows": "  other: { file: other.csv, unit: row, columns: { n: { type: text } } }\n",
  "a table of people": "  other: { file: other.csv, unit: who, columns: { who: { type: text } } }\n",
};
const hasPrivate = (where: string): boolean => where.startsWith("a table of");

const rows: readonly RawRow[] = [50, 60, null].flatMap((x) =>
  [-2, 5, null].flatMap((y) => ["a", "c"].map((g) => ({ pid: "me", x, y, g }))),
);
const questions = ["", " WHERE x > 52", " GROUP BY g"].flatMap((rest) =>
  ["COUNT(*)", "COUNT(y)", "SUM(x)", "SUM(y)", "AVG(x)", "VARIANCE(x)", "COUNT(DISTINCT pid)"].map(
    (aggregate) => `SELECT ${aggregate} FROM people${rest}`,
  ),
);
/** Questions whose derived sensitivity some two units reach. */
const isReached = (text: string): boolean => /^SELECT (COUNT\(\*\)|SUM\(.\)) FROM people$/.test(text);

describe.each(Object.keys(beside))("beside %s", (where) => {
  it.each(["row", "pid"])("of units that are named by %s", async (unit) => {
    const policy = policyOf(unit, beside[where]!);
    const owned = [
      ...(hasPrivate(where) ? [[]] : []),
      ...rows.map((row) => [row]),
      ...(unit === "row" ? [] : rows.map((row) => [row, row])),
    ];
    const others: readonly RawRow[] = [{ pid: "you", x: 51, y: 1, g: "a" }];
    for (const text of questions) {
      const plan = await planned(text, policy);
      const vectors = owned.map((own) => {
        const groups = referenceGroups(plan, [...others, ...own], "seed");
        return releaseProgram(plan).measurements.map(
          ({ terms }) =>
            new Map(
              groups.map(({ key, sums }) => [
                keyName(key),
                terms.reduce((sum, { column, coefficient }) => sum + BigInt(coefficient) * sums[column]!, 0n),
              ]),
            ),
        );
      });
      for (const [at, { l1, l2Squared, name }] of plan.measurements.entries()) {
        let [far, farSquared] = [0n, 0n];
        for (const [n, one] of vectors.entries())
          for (const other of vectors.slice(0, n)) {
            const [distance, squared] = distanceOf(one[at]!, other[at]!);
            if (distance > far) far = distance;
            if (squared > farSquared) farSquared = squared;
          }
        const hint = `${text}: ${name} moves by ${far} and ${farSquared}, derived ${l1} and ${l2Squared}`;
        expect(far <= BigInt(l1) && farSquared <= BigInt(l2Squared), hint).toBe(true);
        if (isReached(text)) expect([far, farSquared], hint).toEqual([BigInt(l1), BigInt(l2Squared)]);
      }
    }
  });
});
