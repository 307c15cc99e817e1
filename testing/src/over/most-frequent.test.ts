import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { OverRelation } from "@lethe/query";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planOver } from "./planned-over.ts";
import { asked, makeTable, type Plain, withoutNoise, written } from "./whole-table.ts";

/*
 * MODE and its like are made of the counts of each value. Without noise they are the values that DuckDB finds, and of several that are as frequent the smallest.
 */

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
  await makeTable(connection);
});
afterAll(() => connection.closeSync());

/** MODE with an order, by which DuckDB too takes the smallest of the values that are as frequent. */
function ordered(text: string): string {
  return text.replaceAll(/MODE\(([\w.]+)\)/g, "MODE() WITHIN GROUP (ORDER BY $1)");
}

describe("MODE is that of DuckDB", () => {
  it.each([
    "SELECT MODE(m) AS m FROM t",
    "SELECT MODE() WITHIN GROUP (ORDER BY m) FROM t",
    "SELECT MODE(g), COUNT(*) FROM t",
    "SELECT MODE(m) FILTER (WHERE x > 40) AS high, MODE(m) AS m, SUM(x) FROM t",
    "SELECT UPPER(MODE(g)) AS u, MODE(m) + 1 AS next FROM t WHERE y IS NOT NULL",
    "SELECT g, MODE(m) AS m FROM t GROUP BY g ORDER BY g",
    "SELECT g, COUNT(*) AS n, MODE(m) AS top, AVG(x) AS a FROM t GROUP BY 1 ORDER BY n DESC, g",
    "SELECT MODE(m), g FROM t GROUP BY ALL HAVING COUNT(*) > 300 ORDER BY g",
    "SELECT COALESCE(g, 'none') AS word, MODE(m) AS m FROM t GROUP BY g HAVING g <> 'a' OR g IS NULL",
    "SELECT m > 6 AS late, MODE(g) AS g FROM t GROUP BY late HAVING MODE(g) IS NOT NULL ORDER BY MODE(g), late LIMIT 1",
    "WITH c AS (SELECT g, MODE(m) AS m, COUNT(*) AS n FROM t GROUP BY g) SELECT g, m, n / SUM(n) OVER () AS share FROM c ORDER BY g",
    "WITH r AS (SELECT m, g FROM t WHERE x > 20) SELECT MODE(m) AS m FROM r",
    "SELECT MODE(m) AS m FROM t HAVING COUNT(*) > 100",
    "SELECT MODE(m) AS m FROM t HAVING MODE(m) > 100",
    "SELECT p.g, MODE(p.m) AS m, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM t AS p GROUP BY p.g ORDER BY r, p.g",
  ])("%s", async (text) => {
    const { plan, rows } = await withoutNoise(text, connection);
    expect(plan.over).toBeDefined();
    expect(written(text, rows)).toEqual(written(text, await asked(ordered(text), connection)));
  });
});

interface Value {
  readonly sql: string;
  readonly keys: readonly string[];
}

const month = "date_trunc('month', d)";
/** What is counted, and the keys in whose every group it has rows. */
const values: readonly Value[] = [
  { sql: "g", keys: ["m", month, "m > 4"] },
  { sql: "m", keys: ["g", month] },
  { sql: month, keys: ["g", "m", "m > 4"] },
  { sql: "m % 3", keys: ["g", month] },
  {
    sql: "CASE WHEN y > 50 THEN 'much' WHEN y > 20 THEN 'some' WHEN y IS NOT NULL THEN 'few' END",
    keys: ["g", month],
  },
];

const question = fc.constantFrom(...values).chain((value) =>
  fc.record({
    value: fc.constant(value.sql),
    keys: fc.subarray([...value.keys], { maxLength: 1 }),
    where: fc.constantFrom("", "x > 15", "y IS NOT NULL"),
    filter: fc.constantFrom("", "x < 90"),
    places: fc.integer({ min: 1, max: 3 }),
    others: fc.subarray(["COUNT(*)", "SUM(x)", "AVG(y)"]),
    isCounted: fc.boolean(),
    isAhead: fc.boolean(),
  }),
);

/** The most frequent values and their counts in each group, as many as are asked for, found among the rows. */
function frequent(rows: readonly Plain[][], places: number): ReadonlyMap<string, readonly Plain[]> {
  const counts = new Map<string, Map<Plain, number>>();
  for (const [key = null, value = null] of rows) {
    const group = counts.get(String(key)) ?? new Map<Plain, number>();
    counts.set(String(key), group);
    if (value !== null) group.set(value, (group.get(value) ?? 0) + 1);
  }
  const best = (group: ReadonlyMap<Plain, number>): readonly Plain[] =>
    [...group]
      .sort(([a, n], [b, k]) => k - n || ((a ?? "") < (b ?? "") ? -1 : 1))
      .slice(0, places)
      .flat();
  return new Map([...counts].map(([key, group]) => [key, best(group)]));
}

describe("several of the most frequent values", () => {
  it("are those of the rows, in each group, beside whatever else is asked", async () => {
    await fc.assert(
      fc.asyncProperty(
        question,
        async ({ value, keys, where, filter, places, others, isCounted, isAhead }) => {
          const [key = null] = keys;
          const call = `${isCounted ? "APPROX_TOP_COUNT" : "approx_top_k"}(${value}, ${places})${filter === "" ? "" : ` FILTER (WHERE ${filter})`} AS top`;
          const listed = isAhead ? [call, ...others] : [...others, call];
          const rest = where === "" ? "" : ` WHERE ${where}`;
          const by = key === null ? "" : ` GROUP BY ${listed.length + 1}`;
          const text = `SELECT ${[...listed, ...(key === null ? [] : [`${key} AS k`])].join(", ")} FROM t${rest}${by}`;
          const { columns, rows } = await withoutNoise(text, connection);
          const conditions = [where, filter].filter((each) => each !== "");
          const raw = await asked(
            `SELECT ${key ?? "NULL"}, ${value} FROM t${conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : ""}`,
            connection,
          );
          const tops = frequent(raw, places);
          const beside = others.length > 0 ? others.join(", ") : "COUNT(*)";
          const groups = await asked(
            `SELECT ${key ?? "NULL"}, ${beside} FROM t${rest} GROUP BY 1`,
            connection,
          );
          const expected = groups.map(([name = null, ...numbers]) => {
            const found = tops.get(String(name)) ?? [];
            const shown = isCounted ? found : found.filter((_, at) => at % 2 === 0);
            const besides = others.length > 0 ? numbers : [];
            return [
              ...(isAhead ? [...shown, ...besides] : [...besides, ...shown]),
              ...(key === null ? [] : [name]),
            ];
          });
          expect(written("", rows), text).toEqual(written("", expected));
          const named = columns.filter((name) => name.startsWith("top_"));
          expect(named).toEqual(
            Array.from({ length: places }, (_, at) => at).flatMap((at) =>
              isCounted ? [`top_${at}`, `top_${at}_count`] : [`top_${at}`],
            ),
          );
        },
      ),
      { numRuns: 60, seed: 11, endOnFailure: true },
    );
  });
});

describe("what it costs", () => {
  it("one question, where MODE stands alone, however many of its values are shown", async () => {
    for (const text of [
      "SELECT MODE(m) FROM t",
      "SELECT g, MODE(m) FROM t GROUP BY g",
      "SELECT g, APPROX_TOP_COUNT(m, 5) AS top, MODE(m) FROM t GROUP BY g",
      "SELECT APPROX_TOP_COUNT(m, 5) AS top, MODE(m), APPROX_TOP_K(m, 2) FROM t",
    ]) {
      const { others, price, measurements } = await planOver(text);
      const by = text.includes("GROUP BY") ? "g, m" : "m";
      const counts = await planOver(`SELECT ${by}, COUNT(*) FROM t WHERE m IS NOT NULL GROUP BY ${by}`);
      expect(others, text).toBeUndefined();
      expect({ price, measurements }, text).toEqual({
        price: counts.price,
        measurements: counts.measurements,
      });
    }
  });

  it("and one more for the rest, and for each other expression", async () => {
    const asks = async (text: string): Promise<number> => 1 + ((await planOver(text)).others?.length ?? 0);
    expect(await asks("SELECT COUNT(*), AVG(x), MODE(m) FROM t")).toBe(2);
    expect(await asks("SELECT g, COUNT(*), MODE(m), MODE(m) FILTER (WHERE x > 3) FROM t GROUP BY g")).toBe(3);
    expect(await asks("SELECT MODE(g), MODE(m) FROM t")).toBe(2);
  });

  it("the value is chosen by the noisy counts alone: rows of the answer, ordered and cut off", async () => {
    const { over } = await planOver("SELECT MODE(m) FROM t");
    const kinds = (relation: OverRelation): readonly string[] => [
      relation.kind,
      ...("of" in relation ? kinds(relation.of) : []),
      ...(relation.kind === "joined" ? [relation.left, relation.right].flatMap(kinds) : []),
    ];
    expect(kinds(over!)).toContain("ordered");
    expect(kinds(over!).filter((kind) => kind === "answer")).toHaveLength(1);
  });
});
