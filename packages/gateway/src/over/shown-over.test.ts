import { parseRational } from "@lethe/core";
import {
  parseQuestion,
  planQuestion,
  policyHash,
  readPolicy,
  releaseProgram,
  resolveQuestion,
} from "@lethe/query";
import { describe, expect, it, test } from "vitest";
import { type Estimate, isEstimate, type ReleasedCell } from "../release.ts";
import { type AnsweredRows, answeredRows } from "../rows/answered-rows.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
tables:
  t:
    file: t.csv
    unit: row
    columns:
      g: { type: text, categories: [a, b, c], default: a }
      k: { type: integer }
      x: { type: integer, bounds: [0, 10], default: 0 }
`);

/** Answers a question from noisy integers 100, 200 and 300 of its groups, whatever is measured. */
async function answered(text: string): Promise<AnsweredRows> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  const options = { epsilon: parseRational("1"), delta: parseRational("1e-7") };
  const plan = planQuestion(question, policy, options, policyHash(policy));
  const { keys } = releaseProgram(plan);
  const groups = (keys.kind === "public" ? keys.groups : [[]]).map((key, at) => ({
    key,
    values: plan.measurements.map(() => BigInt(100 * (at + 1))),
    trees: [],
  }));
  return answeredRows(plan, 0.95)(groups);
}

const grouped = "WITH a AS (SELECT g, COUNT(*) AS n FROM t GROUP BY g)";

/** The cells of a column over the answer. */
async function column(list: string, at = 0, rest = ""): Promise<readonly ReleasedCell[]> {
  const { over } = await answered(`${grouped} SELECT ${list} FROM a${rest}`);
  return over?.rows.map((row) => row[at] ?? null) ?? [];
}

async function intervals(list: string, rest = ""): Promise<readonly (string | null)[]> {
  return (await column(list, 0, rest)).map((cell) =>
    isEstimate(cell) && cell.lower !== null ? `${cell.lower} … ${cell.upper}` : null,
  );
}

// One count at ε 1 is ± 3.
describe("intervals of what is made of an answer", () => {
  test.each([
    ["n", "97 … 103"],
    ["n * 2", "194 … 206"],
    ["1000 - n", "897 … 903"],
    ["GREATEST(n, 99)", "99 … 103"],
    ["CASE WHEN g = 'a' THEN n ELSE 0 END", "97 … 103"],
    ["CASE WHEN n > 50 THEN 1 ELSE 0 END", "1 … 1"],
    ["FIRST_VALUE(n) OVER (ORDER BY g)", "97 … 103"],
    ["SUM(n) OVER (ORDER BY g)", "97 … 103"],
  ])("%s has that of its noise", async (list, first) => {
    expect((await intervals(list))[0]).toBe(first);
  });

  it("several draws have one law together: narrower than their sum, wider than one", async () => {
    const [, , last] = await column("SUM(n) OVER (ORDER BY g)");
    const { value, lower, upper } = last as Estimate;
    expect(value).toBe(600);
    expect(Number(upper) - Number(lower)).toBeGreaterThan(6);
    expect(Number(upper) - Number(lower)).toBeLessThan(18);
  });

  it("a share lies between 0 and 1, and a difference with itself is none", async () => {
    for (const cell of await column("n * 1.0 / SUM(n) OVER ()")) {
      const { lower, upper } = cell as Estimate;
      expect(lower).toBeGreaterThanOrEqual(0);
      expect(upper).toBeLessThanOrEqual(1);
    }
    expect(await intervals("n - SUM(n) OVER (PARTITION BY g)")).toEqual(["0 … 0", "0 … 0", "0 … 0"]);
  });

  test.each([
    "MAX(n) OVER ()",
    "SUM(n) OVER (ORDER BY n)",
    "LAG(n) OVER (ORDER BY n)",
    "RANK() OVER (ORDER BY n)",
    "SUM(n) FILTER (WHERE n > 150) OVER ()",
    "AVG(n) OVER (PARTITION BY n > 150)",
    "2 * MAX(n) OVER () + n",
    "COUNT(*) OVER ()",
  ])("%s has none: noise decides what it is of, or it has no law here", async (list) => {
    expect(await intervals(list)).toEqual([null, null, null]);
  });

  it("totals of groups that keys make have one, and of groups that noise makes none", async () => {
    expect((await intervals("SUM(n)", " GROUP BY g"))[0]).toBe("97 … 103");
    expect(await intervals("SUM(n)", " GROUP BY n > 150")).toEqual([null, null]);
    expect(await intervals("MAX(n)", " GROUP BY g")).toEqual([null, null, null]);
  });
});

describe("where noise decides which rows there are", () => {
  const sum = async (text: string): Promise<boolean> => {
    const cell = (await answered(text)).over?.rows[0]?.at(-1) ?? null;
    return isEstimate(cell) && cell.lower !== null;
  };
  test.each([
    [`${grouped} SELECT SUM(n) AS s FROM a`, true],
    [`${grouped} SELECT SUM(n) AS s FROM a WHERE g <> 'a'`, true],
    [`${grouped} SELECT SUM(n) AS s FROM a WHERE n > 50`, false],
    [`${grouped} SELECT SUM(n) OVER () AS s FROM a WHERE g <> 'a'`, true],
    [`${grouped} SELECT SUM(n) OVER () AS s FROM a WHERE n > 50`, false],
    [`${grouped} SELECT n * 1.0 / SUM(n) OVER () AS s FROM a WHERE n > 50`, false],
    [`${grouped} SELECT FIRST_VALUE(n) OVER (ORDER BY g) AS s FROM a WHERE n > 50`, false],
    [`${grouped} SELECT n AS s FROM a WHERE n > 50`, true],
    [`${grouped} SELECT SUM(n) AS s FROM (SELECT n FROM a ORDER BY g LIMIT 2) z`, true],
    [`${grouped} SELECT SUM(n) AS s FROM (SELECT n FROM a ORDER BY n LIMIT 2) z`, false],
    [`${grouped} SELECT SUM(n) AS s FROM (SELECT n FROM a QUALIFY RANK() OVER (ORDER BY n) < 3) z`, false],
    [`${grouped} SELECT SUM(n) AS s FROM (SELECT DISTINCT n FROM a) z`, false],
    [
      `${grouped} SELECT SUM(n) AS s FROM (SELECT n FROM a WHERE g = 'a' UNION ALL SELECT n FROM a WHERE n > 50) z`,
      false,
    ],
    [`${grouped} SELECT SUM(x.n) AS s FROM a x JOIN a y ON x.g = y.g`, true],
    [`${grouped} SELECT SUM(x.n) AS s FROM a x JOIN a y ON x.n >= y.n`, false],
    [
      `${grouped} SELECT x.n + COALESCE(y.n, 0) AS s FROM a x LEFT JOIN a y ON x.g <> y.g AND y.g = 'z'`,
      true,
    ],
    [`${grouped} SELECT x.n + COALESCE(y.n, 0) AS s FROM a x LEFT JOIN a y ON x.n > y.n + 1000`, false],
    [`${grouped} SELECT n - (SELECT SUM(n) FROM a WHERE n > 50) AS s FROM a`, false],
    ["SELECT g, SUM(COUNT(*)) OVER () AS s FROM t GROUP BY g HAVING g <> 'a'", true],
    ["SELECT g, SUM(COUNT(*)) OVER () AS s FROM t GROUP BY g HAVING COUNT(*) > 50", false],
    [
      `${grouped} SELECT SUM(n) OVER (ROWS UNBOUNDED PRECEDING) AS s FROM (SELECT n FROM a ORDER BY g) z`,
      true,
    ],
    [
      `${grouped} SELECT SUM(n) OVER (ROWS UNBOUNDED PRECEDING) AS s FROM (SELECT n FROM a ORDER BY n) z`,
      false,
    ],
    [`${grouped} SELECT SUM(n) OVER () AS s FROM (SELECT n FROM a ORDER BY n) z`, true],
    [
      "WITH a AS (SELECT g, COUNT(*) AS n FROM t GROUP BY g ORDER BY n LIMIT 2) SELECT SUM(n) AS s FROM a",
      false,
    ],
    [
      "WITH a AS (SELECT g, COUNT(*) AS n FROM t GROUP BY g ORDER BY g LIMIT 2) SELECT SUM(n) AS s FROM a",
      true,
    ],
  ])("what is made of them has no interval, and of others one: %s", async (text, has) => {
    expect(await sum(text)).toBe(has);
  });
});

describe("cells", () => {
  it("copies keep their kind, their interval and their place", async () => {
    const { rows, over } = await answered(
      `${grouped} SELECT n AS m, g, g = 'b' AS is_b FROM a ORDER BY n DESC`,
    );
    expect(over?.columns).toEqual([
      { name: "m", kind: "aggregate" },
      { name: "g", kind: "key" },
      { name: "is_b", kind: "label" },
    ]);
    expect(over?.rows.map(([m, g]) => [g, m])).toEqual([...rows].reverse());
  });

  it("rows that meet none are NULL on the other side", async () => {
    const { over } = await answered(
      `${grouped} SELECT y.n, y.g FROM a x LEFT JOIN a y ON x.g = y.g AND y.g = 'a'`,
    );
    expect(over?.rows[1]).toEqual([{ value: null, lower: null, upper: null }, null]);
  });

  it("a question without has no rows over its answer", async () => {
    expect((await answered("SELECT g, COUNT(*) AS n FROM t GROUP BY g")).over).toBeUndefined();
  });
});

describe("notes", () => {
  const chosen = expect.stringContaining("rows were chosen by their noisy values");
  test.each([
    [" WHERE n > 150", true],
    [" ORDER BY n LIMIT 1", true],
    [" WHERE g = 'a' ORDER BY g LIMIT 1", false],
    ["", false],
  ])("rows that are chosen by noise are told: %s", async (rest, isTold) => {
    const { notes } = await answered(`${grouped} SELECT g, n FROM a${rest}`);
    if (isTold) expect(notes).toContainEqual(chosen);
    else expect(notes).not.toContainEqual(chosen);
  });
});
