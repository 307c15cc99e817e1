import { type Policy, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { planned } from "./planned.ts";
import { type RawRow, referenceCells, referenceGroups } from "./reference-evaluator.ts";
import { refutedClaims, refutedTrees } from "./refuted-claims.ts";

/*
 * Brute force over values of units: whatever one unit's rows are, no measurement moves farther than the planner derived;
 * were that less by one, some pair of tables would refute it where the sensitivity is said to be reached.
 */

const policyOf = (adjacency: string): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: approximate, epsilon: 100, delta: 1e-5 }
tables:
  people:
    file: people.parquet
    unit: pid
    max_groups_contributed: 2
    max_rows_contributed_per_group: 2
    columns:
      pid: { type: text }
      x: { type: integer, bounds: [-2, 5] }
      y: { type: number, bounds: [0, 3] }
      g: { type: text, categories: [a, b] }
`);

const own: readonly RawRow[] = [
  { pid: "me", x: -2, y: 0, g: "a" },
  { pid: "me", x: 5, y: 3, g: "a" },
  { pid: "me", x: 5, y: 2.5, g: "b" },
  { pid: "me", x: null, y: 1, g: "b" },
];
const others: readonly RawRow[] = [
  { pid: "you", x: 1, y: 3, g: "a" },
  { pid: "you", x: 3, y: 2, g: null },
  { pid: null, x: 5, y: 3, g: "b" },
];

/** Returns every multiset of up to three rows. */
function ownings(): readonly (readonly RawRow[])[] {
  const found: RawRow[][] = [[]];
  own.forEach((a, i) => {
    found.push([a]);
    own.slice(i).forEach((b, j) => {
      found.push([a, b]);
      for (const c of own.slice(i + j)) found.push([a, b, c]);
    });
  });
  return found;
}

const inner = (list: string, by = "pid", rest = ""): string =>
  `(SELECT ${list} FROM people${rest} GROUP BY ${by}) t`;

/** The questions, and whether some pair of tables reaches the sensitivity under both adjacencies. */
const questions: readonly (readonly [text: string, isReached: boolean])[] = [
  [`SELECT COUNT(*) FROM ${inner("pid, COUNT(*) AS n")} WHERE n > 1`, true],
  [`SELECT n, COUNT(*) FROM ${inner("pid, COUNT(*) AS n")} GROUP BY n`, true],
  [`SELECT SUM(most) FROM ${inner("pid, MAX(x) AS most")} WHERE most IS NOT NULL`, false],
  [
    `SELECT least, SUM(LEAST(n, 2)), AVG(mean) FROM ${inner("pid, MIN(g) AS least, COUNT(x) AS n, AVG(y) AS mean")} GROUP BY least`,
    false,
  ],
  [
    `SELECT SUM(total, contribution_bounds_per_row => (-1, 7)) FROM ${inner("pid, SUM(x) AS total")} WHERE total IS NOT NULL`,
    true,
  ],
  [
    `SELECT VARIANCE(total), MEDIAN(total) FROM ${inner("pid, SUM(x, contribution_bounds_per_group => (-3, 9)) AS total")}`,
    false,
  ],
  [
    `SELECT g, SUM(LEAST(n, 3)), COUNT(*) FROM ${inner("pid, g, COUNT(*) AS n", "pid, g", " WHERE y > 0.5")} GROUP BY g`,
    false,
  ],
  [`SELECT COUNT(DISTINCT total) FROM ${inner("pid, SUM(x) AS total")}`, false],
  [
    "SELECT COUNT(*), SUM(x) FROM (SELECT pid, x, ROW_NUMBER() OVER (PARTITION BY pid ORDER BY x DESC) AS n FROM people) t WHERE n <= 2 AND x IS NOT NULL",
    false,
  ],
  [
    "SELECT g, SUM(LEAST(r, 3)), COUNT(*) FROM (SELECT pid, g, RANK() OVER (PARTITION BY pid ORDER BY x) AS r FROM people) t GROUP BY g",
    false,
  ],
  [
    "SELECT SUM(x - before), MEDIAN(x - before) FROM (SELECT x, LAG(x) OVER (PARTITION BY pid, g ORDER BY y) AS before FROM people) t",
    false,
  ],
  [
    "SELECT n, COUNT(*), AVG(m) FROM (SELECT COUNT(*) OVER (PARTITION BY pid) AS n, AVG(y) OVER (PARTITION BY pid ORDER BY x ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS m FROM people) t GROUP BY n",
    false,
  ],
];

describe.each(["add-or-remove-one", "replace-one"])("values of units under %s", (adjacency) => {
  it.each(questions)("%s", async (text, isReached) => {
    const plan = await planned(text, policyOf(adjacency));
    const seed = "s";
    const all = ownings()
      .filter((rows) => adjacency === "add-or-remove-one" || rows.length > 0)
      .map((rows) => {
        const data = [...others.slice(0, 1), ...rows, ...others.slice(1)];
        return [referenceGroups(plan, data, seed), referenceCells(plan, data, seed)] as const;
      });
    const less = {
      ...plan,
      measurements: plan.measurements.map((one) => ({ ...one, l1: `${BigInt(one.l1) - 1n}` })),
    };
    const reached = new Set<string>();
    const without = all[0]!;
    const pairs =
      adjacency === "replace-one"
        ? all.flatMap((a, at) => all.slice(at + 1).map((b) => [a, b] as const))
        : all.slice(1).map((a) => [a, without] as const);
    for (const [[a, cells], [b, otherCells]] of pairs) {
      expect([...refutedClaims(plan, a, b), ...refutedTrees(plan, cells, otherCells)], text).toEqual([]);
      for (const claim of refutedClaims(less, a, b)) reached.add(claim.split(": ℓ1")[0]!);
    }
    if (isReached) expect(reached.size, text).toBeGreaterThanOrEqual(plan.measurements.length);
  });
});
