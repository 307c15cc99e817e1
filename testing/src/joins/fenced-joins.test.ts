import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { compilePlan, type Dialect, duckdb, type Plan, postgres, readPolicy } from "@lethe/query";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planned } from "../planned.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../postgres/start-postgres.ts";

/*
 * A condition on two public tables stands behind a fence where engines could otherwise join these first. The engines say what they do: no join has the condition, and it is
 * looked at above all of them. And the rows are those of the question as it is written.
 */

const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
tables:
  items: { file: a.duckdb, unit: person, max_rows_before_join: 20, max_groups_contributed: 36, max_rows_contributed_per_group: 400, columns: {
    person: { type: integer }, code: { type: integer }, price: { type: integer, bounds: [0, 9], default: 0 } } }
  codes: { file: a.duckdb, public: true, key: code, columns: {
    code: { type: integer }, kind: { type: text, categories: [p, q, r, s] }, weight: { type: integer, bounds: [0, 9], default: 0 } } }
`);

const questions = [
  ["c.kind", "d.kind", "c.kind < d.kind"],
  ["c.kind", "d.kind", "c.kind <> d.kind AND c.weight + d.weight > 7 AND a.price > 2"],
  ["c.kind", "d.kind", "NOT (c.kind >= d.kind) AND b.price < 8"],
] as const;

const text = ([one, other, where]: (typeof questions)[number]): string =>
  `SELECT ${one}, ${other}, COUNT(*) FROM items a JOIN items b ON a.person = b.person JOIN codes c ON c.code = a.code JOIN codes d ON d.code = b.code WHERE ${where} GROUP BY 1, 2`;

/** Many codes of one kind, so that joining the public tables first would look cheap beside many items. */
const rows = {
  items: [
    "CREATE TABLE items AS SELECT i / 6 AS person, i * 7 % 40 AS code, i * 3 % 10 AS price FROM",
    "(0, 599)",
  ],
  codes: [
    "CREATE TABLE codes AS SELECT i AS code, CASE i % 4 WHEN 0 THEN 'p' WHEN 1 THEN 'q' WHEN 2 THEN 'r' ELSE 's' END AS kind, i % 10 AS weight FROM",
    "(0, 39)",
  ],
} as const;

function sqlOf(plan: Plan, dialect: Dialect): string {
  const place = (table: string) => ({
    relation: [table],
    layout: "raw" as const,
    hasUnitNumbers: false,
    types: {},
  });
  const { sql } = compilePlan(plan, place, dialect);
  return sql.replaceAll("$1", "'a seed'");
}

/** Each group's joined rows, from the SQL that answers and from the question as it is written. */
async function expectSame(
  question: (typeof questions)[number],
  dialect: Dialect,
  run: (sql: string) => Promise<readonly (readonly unknown[])[]>,
): Promise<void> {
  const plan = await planned(text(question), policy);
  expect(plan.from).toMatchObject({ kind: "filter", fenced: true });
  const ours = (await run(sqlOf(plan, dialect))).map(([one, other, , count]) => `${one} ${other} ${count}`);
  const [one, other, where] = question;
  const theirs = await run(text([one, other, where]));
  expect(ours.sort()).toEqual(theirs.map((row) => row.map(String).join(" ")).sort());
  expect(theirs.length).toBeGreaterThan(3);
}

/** A condition of the fence, as engines write it. */
const isFenced = (written: string): boolean =>
  /(kind|c\d+|weight)\S* *(<|<>|!=|>=|\+) *\S*(kind|c\d+|weight)/.test(written);

describe("DuckDB", () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(":memory:")).connect();
    for (const [create, [first, last]] of Object.values(rows).map(
      ([sql, ends]) => [sql, ends.match(/\d+/g)!] as const,
    ))
      await connection.run(
        `${create.replaceAll("i / 6", "i // 6")} range(${first}, ${Number(last) + 1}) t(i)`,
      );
  });
  afterAll(() => connection.closeSync());
  const run = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();

  it.each(questions)(
    "joins without the condition, and looks at it afterwards: %s, %s, %s",
    async (...question) => {
      await expectSame(question, duckdb, run);
      const sql = sqlOf(await planned(text(question), policy), duckdb);
      const trees = (await run(`EXPLAIN (FORMAT json) ${sql}`)).map(([, tree]) => JSON.parse(String(tree)));
      const found = nodesOf(trees, "name", "children");
      const joins = found.filter(
        ({ node }) => /JOIN/.test(String(node.name)) && !/CROSS/.test(String(node.name)),
      );
      expect(joins.length).toBeGreaterThanOrEqual(3);
      expect(found.some(({ node }) => /CROSS_PRODUCT|NESTED_LOOP|PIECEWISE/.test(String(node.name)))).toBe(
        false,
      );
      expect(joins.filter(({ node }) => isFenced(JSON.stringify(node.extra_info)))).toEqual([]);
      const filters = found.filter(({ node }) => node.name === "FILTER " || node.name === "FILTER");
      const fenced = filters.filter(({ node }) => isFenced(JSON.stringify(node.extra_info)));
      expect(fenced.length).toBeGreaterThan(0);
      for (const { below } of fenced) expect(below.some((name) => /LIMIT/.test(name))).toBe(true);
    },
  );
});

describe.skipIf(!hasPostgres())("PostgreSQL", () => {
  let server: PostgresServer;
  let client: Client;
  beforeAll(async () => {
    server = await startPostgres();
    client = new Client({ connectionString: server.url });
    await client.connect();
    for (const [create, ends] of Object.values(rows))
      await client.query(`${create} generate_series${ends} AS t(i)`);
    await client.query("ANALYZE");
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });
  const run = async (sql: string): Promise<readonly (readonly unknown[])[]> =>
    (await client.query({ text: sql, rowMode: "array" })).rows;

  it.each(questions)(
    "joins without the condition, and looks at it afterwards: %s, %s, %s",
    async (...question) => {
      await expectSame(question, postgres, run);
      const sql = sqlOf(await planned(text(question), policy), postgres);
      const [[answer]] = (await run(`EXPLAIN (FORMAT JSON) ${sql}`)) as [[{ Plan: object }[]]];
      const found = nodesOf(
        answer.map(({ Plan }) => Plan),
        "Node Type",
        "Plans",
      );
      const joins = found.filter(({ node }) => /Join|Nested Loop/.test(String(node["Node Type"])));
      expect(joins.length).toBeGreaterThanOrEqual(3);
      const conditions = ["Join Filter", "Hash Cond", "Merge Cond", "Filter", "Index Cond", "Recheck Cond"];
      const written = (node: Readonly<Record<string, unknown>>): string =>
        conditions.map((name) => String(node[name] ?? "")).join(" ");
      // The condition is looked at by a scan of the subquery, which is above all joins.
      for (const { node, below } of found)
        if (isFenced(written(node))) {
          expect(node["Node Type"]).toBe("Subquery Scan");
          expect(below.filter((name) => /Join|Nested Loop/.test(name)).length).toBeGreaterThanOrEqual(3);
        }
      expect(found.some(({ node }) => isFenced(written(node)))).toBe(true);
    },
  );
});

interface Found {
  readonly node: Readonly<Record<string, unknown>>;
  /** The names of all nodes below. */
  readonly below: readonly string[];
}

/** All nodes of plans, each with the names of those below it. */
function nodesOf(trees: readonly unknown[], name: string, children: string): readonly Found[] {
  return trees.flat().flatMap((tree) => {
    const node = tree as Readonly<Record<string, unknown>>;
    const within = nodesOf((node[children] as unknown[]) ?? [], name, children);
    return [{ node, below: within.map((each) => String(each.node[name])) }, ...within];
  });
}
