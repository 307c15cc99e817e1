import { canonicalKey } from "@lethe/core/mechanisms";
import { openPostgres, type PostgresEngine } from "@lethe/engine-postgres";
import {
  type CompiledQuery,
  compilePlan,
  compileTrees,
  type Policy,
  postgres,
  readPolicy,
  type TableStorage,
} from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unseal } from "../../../packages/core/src/exact/exact.ts";
import { planned } from "../planned.ts";
import { serverWith } from "./server-with.ts";
import { hasPostgres } from "./start-postgres.ts";

/*
 * Tables that are PARTITION BY HASH of the unit. What is computed of each unit is computed below the Append, in every partition by
 * itself, and the exact answers are those of the same tables read whole. The server is the embedded one, of version 18.
 */

const parts = 4;
const seed = "a secret seed";

function hashed(table: string, columns: string, key: string, count: number = parts): string {
  const each = Array.from(
    { length: count },
    (_, place) =>
      `CREATE TABLE ${table}_${place} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${count}, REMAINDER ${place})`,
  );
  return [`CREATE TABLE ${table} (${columns}) PARTITION BY HASH (${key})`, ...each].join("; ");
}

const visits = "person bigint, visit text, cost float8, ward text, kind integer";
const fill = "SELECT i * 7919 % 211, 'v' || i, i % 97 - 10, (ARRAY['a', 'b', 'c', NULL])[1 + i % 4], i % 7";
const tables = `CREATE ROLE reader LOGIN;
  ${hashed("people", "id bigint, town text, age integer", "id")};
  ${hashed("visits", visits, "person")};
  ${hashed("named", visits.replace("person bigint", "person text"), "person", 3)};
  ${hashed("items", "visit text, price integer", "visit")};
  CREATE TABLE loans (person bigint, sum float8);
  CREATE TABLE kinds (kind integer, name text);
  INSERT INTO people SELECT i, (ARRAY['x', 'y', NULL])[1 + i % 3], i % 90 FROM generate_series(0, 199) AS i;
  INSERT INTO visits ${fill} FROM generate_series(1, 3000) AS i;
  INSERT INTO visits SELECT NULL, 'none', 1, 'a', 1 FROM generate_series(1, 5);
  INSERT INTO named ${fill.replace("i * 7919 % 211", "repeat('n', (i % 3) * 200) || i * 7919 % 211")} FROM generate_series(1, 3000) AS i;
  INSERT INTO items SELECT 'v' || i % 3000, i % 6 FROM generate_series(1, 4000) AS i;
  INSERT INTO loans SELECT i % 250, i % 9 FROM generate_series(1, 700) AS i;
  INSERT INTO kinds SELECT i, 'kind ' || i % 3 FROM generate_series(0, 5) AS i;
  GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader; ANALYZE`;

function policyOf(limit: string): Policy {
  const limits = `bound: ${limit}, max_groups_contributed: 2, max_rows_contributed_per_group: 3`;
  const columns = `visit: { type: text }, cost: { type: number, bounds: [0, 60] }, ward: { type: text, categories: [a, b, c] }, kind: { type: integer, categories: [0, 1, 2, 3, 4, 5, 6] }`;
  const through = (table: string): string =>
    `${table}: { unit: { through: person, references: people.id }, ${limits}`;
  return readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1000, delta: 1e-3 }
defaults: { epsilon: 1, delta: 1e-9 }
database: { kind: postgres }
tables:
  people: { unit: id, key: id, columns: { id: { type: integer }, town: { type: text, categories: [x, y] }, age: { type: integer, bounds: [0, 100] } } }
  ${through("visits")}, key: visit, columns: { person: { type: integer }, ${columns} } }
  ${through("loans")}, columns: { person: { type: integer }, sum: { type: number, bounds: [0, 9] } } }
  named: { unit: person, ${limits}, columns: { person: { type: text }, ${columns} } }
  items: { unit: { through: visit, references: visits.visit }, ${limits}, columns: { visit: { type: text }, price: { type: integer, bounds: [0, 6] } } }
  kinds: { public: true, key: kind, columns: { kind: { type: integer, bounds: [0, 9] }, name: { type: text, categories: [kind 0, kind 1, kind 2] } } }
`);
}

const oneTable = [
  "SELECT COUNT(*) FROM visits",
  "SELECT COUNT(DISTINCT person), SUM(cost), AVG(cost), VARIANCE(cost) FROM visits WHERE kind < 5",
  "SELECT kind, COUNT(*), SUM(cost) FROM visits GROUP BY kind",
  "SELECT ward, kind, AVG(cost) FROM visits GROUP BY ward, kind",
  "SELECT visit, COUNT(*) FROM visits GROUP BY visit",
  "SELECT ward, MEDIAN(cost) FROM visits GROUP BY ward",
  "SELECT kind, COUNT(*), AVG(cost) FROM named GROUP BY kind",
  "SELECT AVG(cost) FROM named",
];
const joins = [
  "SELECT COUNT(*), AVG(cost) FROM people JOIN visits ON id = person",
  "SELECT town, COUNT(*), AVG(cost) FROM people JOIN visits ON id = person GROUP BY town",
  "SELECT COUNT(*), SUM(age), COUNT(cost) FROM people LEFT JOIN visits ON id = person AND cost > 40",
  "SELECT COUNT(*), SUM(age), COUNT(cost) FROM people FULL JOIN visits ON id = person",
  "SELECT name, COUNT(*) FROM visits v JOIN kinds k ON v.kind = k.kind GROUP BY name",
  "SELECT COUNT(*) FROM visits a JOIN visits b ON a.person = b.person AND a.kind < b.kind",
  "SELECT COUNT(*) FROM visits WHERE person IN (SELECT id FROM people WHERE age > 30)",
  "SELECT COUNT(*) FROM people WHERE NOT EXISTS (SELECT 1 FROM visits WHERE person = id AND kind = 3)",
];
const wholeJoins = [
  "SELECT COUNT(*), SUM(price) FROM visits v JOIN items i ON v.visit = i.visit",
  "SELECT COUNT(*), SUM(sum) FROM people p JOIN loans l ON p.id = l.person",
];

describe.skipIf(!hasPostgres())("tables of PostgreSQL that are partitioned by the unit", () => {
  const own = serverWith(tables, {
    min_parallel_table_scan_size: "0",
    parallel_setup_cost: "0",
    parallel_tuple_cost: "0",
  });
  const logged: string[] = [];
  const policies = ["groups-after-filter", "rows-before-filter"].map(policyOf);
  let engines: readonly PostgresEngine[];
  beforeAll(() => {
    const log = (detail: string): number => logged.push(detail);
    engines = policies.map((policy) => openPostgres({ policy, url: own.server.urlOf("reader"), seed, log }));
  });
  afterAll(async () => {
    for (const engine of engines) await engine.close();
  });

  /** The statements of a question over the tables as they lie, and over the same tables without their partitions. */
  async function compiled(question: string, at: number): Promise<readonly [Compiled, Compiled]> {
    const policy = policies[at]!;
    const plan = await planned(question, policy);
    const storages = new Map<string, TableStorage>();
    for (const table of Object.keys(policy.tables)) storages.set(table, await engines[at]!.storage(table));
    const of = (storageOf: (table: string) => TableStorage): Compiled => [
      compilePlan(plan, storageOf, postgres),
      ...compileTrees(plan, storageOf, postgres),
    ];
    return [
      of((table) => storages.get(table)!),
      of((table) => {
        const { partitions: _, ...whole } = storages.get(table)!;
        return whole;
      }),
    ];
  }
  type Compiled = readonly CompiledQuery[];

  async function answers(queries: Compiled, at: number): Promise<unknown> {
    const all = [];
    for (const query of queries) {
      const rows = await engines[at]!.run(query).catch((error: unknown) =>
        expect.fail(`${error}: ${logged.at(-1)}: ${query.sql}`),
      );
      const groups = unseal(rows).groups.map(({ key, units, sums }) => [
        canonicalKey(key),
        `${units}`,
        ...sums.map(String),
      ]);
      all.push(groups.sort());
    }
    return all;
  }

  const asked: readonly (readonly [string, number])[] = [
    ...oneTable.flatMap((question) => [0, 1].map((at) => [question, at] as const)),
    ["SELECT COUNT(DISTINCT kind), SUM(DISTINCT kind) FROM visits", 0],
    ["SELECT ward, COUNT(*), COUNT(DISTINCT visit), AVG(cost) FROM visits GROUP BY ward", 0],
    ...joins.map((question) => [question, 0] as const),
  ];

  it.each(asked)("are answered part by part as they are whole: %s (%i)", async (question, at) => {
    const [parted, whole] = await compiled(question, at);
    for (const [n, { sql }] of parted.entries()) expect(sql).not.toBe(whole[n]!.sql);
    const found = await answers(parted, at);
    expect(JSON.stringify(found).length).toBeGreaterThan(10);
    expect(found).toEqual(await answers(whole, at));
  });

  it.each(asked)("are sorted, grouped and joined below the Append: %s (%i)", async (question, at) => {
    const [parted] = await compiled(question, at);
    for (const query of parted) {
      const plan = await explained(query);
      const arms = armsOf(plan);
      expect(arms.length, query.sql).toBeGreaterThanOrEqual(3);
      for (const arm of arms) expect(nodesOf(arm).some(isPerUnit), JSON.stringify(arm)).toBe(true);
      // Nothing above the Append sorts or groups rows by unit.
      expect(aboveArms(plan).filter(({ "Node Type": type }) => type === "WindowAgg")).toEqual([]);
    }
  });

  it.each(wholeJoins)("are read whole beside a table that is not: %s", async (question) => {
    const [asTheyLie, whole] = await compiled(question, 0);
    expect(asTheyLie.map(({ sql }) => sql)).toEqual(whole.map(({ sql }) => sql));
  });

  it("are read whole where values are told apart over all units in one aggregate", async () => {
    const [asTheyLie, whole] = await compiled("SELECT COUNT(DISTINCT kind) FROM visits", 1);
    expect(asTheyLie.map(({ sql }) => sql)).toEqual(whole.map(({ sql }) => sql));
  });

  it("are grouped by unit in workers, and sorted there for the windows, which no worker computes", async () => {
    const [[grouped]] = await compiled("SELECT AVG(cost) FROM visits", 0);
    const gathers = nodesOf(await explained(grouped!)).filter(isGather);
    expect(gathers.flatMap(scanned).length).toBe(parts);
    for (const gather of gathers) expect(nodesOf(gather).some(isPerUnit)).toBe(true);

    const [[ranked], [whole]] = await compiled("SELECT kind, COUNT(*) FROM visits GROUP BY kind", 0);
    const windows = nodesOf(await explained(ranked!)).filter((node) => node["Node Type"] === "WindowAgg");
    expect(windows.length).toBe(parts);
    for (const window of windows) expect(nodesOf(window).some(isGather)).toBe(true);
    const [one, ...others] = nodesOf(await explained(whole!)).filter(
      (node) => node["Node Type"] === "WindowAgg",
    );
    expect(others).toEqual([]);
    expect(placesIn(one!).size).toBe(parts);
  });

  it("are foreign tables at the price of the guarantee: a unit with rows on two servers counts twice, so they are refused", async () => {
    const { hostname, port } = new URL(own.server.url);
    await own.admin.query(`CREATE EXTENSION postgres_fdw;
      CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '${hostname}', port '${port}', dbname 'postgres');
      CREATE USER MAPPING FOR PUBLIC SERVER far OPTIONS (user 'postgres', password_required 'false');
      CREATE TABLE public.shared (person bigint, cost float8) PARTITION BY HASH (person);
      CREATE TABLE public.lies_0 (person bigint, cost float8); CREATE TABLE public.lies_1 (person bigint, cost float8);
      CREATE FOREIGN TABLE public.shared_0 PARTITION OF public.shared FOR VALUES WITH (MODULUS 2, REMAINDER 0) SERVER far OPTIONS (table_name 'lies_0');
      CREATE FOREIGN TABLE public.shared_1 PARTITION OF public.shared FOR VALUES WITH (MODULUS 2, REMAINDER 1) SERVER far OPTIONS (table_name 'lies_1');
      INSERT INTO public.lies_0 SELECT 7, 1 FROM generate_series(1, 5); INSERT INTO public.lies_1 TABLE public.lies_0;
      GRANT SELECT ON public.shared, public.shared_0, public.shared_1 TO reader`);
    const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
database: { kind: postgres }
tables: { shared: { unit: person, max_groups_contributed: 1, max_rows_contributed_per_group: 3, columns: { person: { type: integer } } } }
`);
    const engine = openPostgres({ policy, url: own.server.urlOf("reader"), seed, log: () => undefined });
    await expect(engine.storage("shared")).rejects.toMatchObject({
      code: "engine.source",
      message: expect.stringContaining("is a foreign table"),
    });
    await engine.close();
    // What the compiled statement would say of the one person, of whom three rows may count.
    const plan = await planned("SELECT COUNT(*) FROM shared", policy);
    const relations = ["shared_0", "shared_1"].map((name) => ["public", name]);
    const partitions = { column: "person", placement: "2", relations };
    const whole: TableStorage = { relation: ["public", "shared"], layout: "raw", types: { person: "int8" } };
    const counted = async (storage: TableStorage): Promise<string> => {
      const query = compilePlan(plan, () => storage, postgres);
      expect(JSON.stringify(await explained(query))).toContain("Foreign Scan");
      return (await own.admin.query(query.sql)).rows[0].s0;
    };
    expect(await counted({ ...whole, partitions })).toBe("6");
    // PostgreSQL believes it too, once it is told to group partitions apart.
    expect(await counted(whole)).toBe("3");
    await own.admin.query("SET enable_partitionwise_aggregate = on; SET enable_hashagg = off");
    expect(await counted(whole)).toBe("6");
    await own.admin.query("RESET ALL");
  });

  interface Node {
    readonly "Node Type": string;
    readonly "Relation Name"?: string;
    readonly "Group Key"?: readonly string[];
    readonly Plans?: readonly Node[];
  }

  async function explained({ sql, needsSeed }: CompiledQuery): Promise<Node> {
    await own.admin.query("SET search_path = pg_catalog; SET jit = off");
    const values = needsSeed ? ["0123456789abcdef"] : [];
    const { rows } = await own.admin.query(`EXPLAIN (FORMAT JSON) ${sql}`, values);
    return rows[0]["QUERY PLAN"][0].Plan;
  }

  const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  const scanned = (node: Node): readonly string[] =>
    nodesOf(node).flatMap((each) => each["Relation Name"] ?? []);
  const isGather = ({ "Node Type": type }: Node): boolean => type.startsWith("Gather");
  const isPerUnit = ({ "Node Type": type }: Node): boolean => type === "WindowAgg" || type === "Aggregate";
  /** The suffixes of the partitions that are read. */
  const placesIn = (node: Node): ReadonlySet<string> =>
    new Set(scanned(node).flatMap((name) => /_\d+$/.exec(name)?.[0] ?? []));
  /** Whether a node puts together rows of partitions, each of its parts those of one. */
  const isOuterAppend = ({ "Node Type": type, Plans = [] }: Node): boolean =>
    ["Append", "Merge Append"].includes(type) && Plans.every((part) => placesIn(part).size === 1);

  /** The children of each Append that puts partitions together. */
  function armsOf(plan: Node): readonly Node[] {
    if (isOuterAppend(plan)) return plan.Plans!;
    return (plan.Plans ?? []).flatMap(armsOf);
  }

  /** The nodes that are no part of an arm. */
  function aboveArms(plan: Node): readonly Node[] {
    return isOuterAppend(plan) ? [] : [plan, ...(plan.Plans ?? []).flatMap(aboveArms)];
  }
});
