import { openPostgres } from "@lethe/engine-postgres";
import { type Engine, type Policy, readPolicy } from "@lethe/query";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finishedScripts, nativeTypes, policyNeighbours } from "../policies/policy-cases.ts";
import { columnNames, randomNeighbours } from "../random-neighbours.ts";
import type { RawRow } from "../reference-evaluator.ts";
import { peopleScripts } from "../replay/people-cases.ts";
import type { Script } from "../replay/random-scripts.ts";
import { countsOf, nothing, type Replayed, replayScripts, together, told } from "../replay/replay-scripts.ts";
import { report } from "../replay/report.ts";
import { shopNeighbours } from "../replay/shop-cases.ts";
import { lendTable, type TypedColumn } from "./lent-table.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./start-postgres.ts";

/* Replay of whole answers over neighbours, as ../neighbours.test.ts does it on DuckDB, through PostgreSQL and its engine. */

const cases = Number(process.env.NEIGHBOURS ?? 15);
const policies = Number(process.env.NEIGHBOURS_POLICIES ?? 2);
const firstSeed = Number(process.env.NEIGHBOURS_SEED ?? 1);
const neighboursEach = Number(process.env.NEIGHBOURS_EACH ?? 1);

/** A PostgreSQL type for each of DuckDB's types, one that misbehaves in its own way. */
const types: Readonly<Record<string, string>> = {
  DOUBLE: "float8",
  FLOAT: "float4",
  "DECIMAL(38, 3)": "numeric",
  HUGEINT: "bigint",
  INTEGER: "integer",
  VARCHAR: "text",
  "VARCHAR COLLATE NOCASE": 'text COLLATE "nocase"',
  "VARCHAR COLLATE NOACCENT": 'varchar(400) COLLATE "noaccent"',
  BOOLEAN: "boolean",
  DATE: "date",
  TIMESTAMP: "timestamp",
  TIMESTAMPTZ: "timestamptz",
};
/** The types of the shop's columns; all others are texts. */
const shopTypes: Readonly<Record<string, string>> = {
  "people.id": "integer",
  "visits.person_id": "numeric",
  age: "smallint",
  day: "integer",
  grade: "bigint",
  cost: "float8",
  price: "numeric",
  weight: "float8",
  fee: "float8",
};

/** Tables that lie in a schema for each side. */
interface Lent {
  readonly name: string;
  readonly policy: (side: number) => Policy;
  readonly scripts: readonly Script[];
  readonly sides: readonly Readonly<Record<string, readonly RawRow[]>>[];
  columns(table: string): readonly TypedColumn[];
}

describe.skipIf(!hasPostgres())("between neighbours on PostgreSQL", () => {
  let server: PostgresServer;
  let client: Client;
  beforeAll(async () => {
    server = await startPostgres({ max_connections: "80" });
    client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query("CREATE ROLE reader LOGIN");
    const icu = "provider = icu, deterministic = false";
    await client.query(`CREATE COLLATION nocase (${icu}, locale = 'und-u-ks-level2')`);
    await client.query(`CREATE COLLATION noaccent (${icu}, locale = 'und-u-ks-level1-kc-true')`);
    for (let side = 0; side <= neighboursEach; side += 1) {
      await client.query(`CREATE SCHEMA side_${side}`);
      await client.query(`GRANT USAGE ON SCHEMA side_${side} TO reader`);
    }
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  async function replayed({ name, policy, scripts, sides, columns }: Lent): Promise<Replayed> {
    const logged: string[] = [];
    const log = (detail: string): number => logged.push(detail);
    const engines: Engine[] = [];
    try {
      for (const [side, tables] of sides.entries()) {
        for (const table of Object.keys(policy(side).tables))
          await lendTable(client, `side_${side}.${table}`, columns(table), tables[table] ?? []);
        const settings = { policy: policy(side), url: server.urlOf("reader"), seed: "a secret seed", log };
        engines.push(openPostgres(settings));
      }
      const found = await replayScripts({
        name,
        policy: policy(0),
        scripts,
        sides: sides.length,
        engine: (side) => engines[side]!,
      });
      expect(found.findings, logged.at(-1)).toEqual([]);
      return found;
    } finally {
      for (const engine of engines) await engine.close();
    }
  }

  it.each([
    ["a table of people", lentPeople, cases],
    ["several private tables", lentPolicy, policies],
    ["the tables of a shop", lentShop, Math.ceil(cases / 4)],
  ])("nothing that leaves differs but by the noise: %s", async (form, lent, all) => {
    let total = nothing;
    for (let seed = firstSeed; seed < firstSeed + all; seed += 1)
      total = together(total, await replayed(lent(seed)));
    report(`${form} on PostgreSQL`, { pairs: all * neighboursEach, ...countsOf(total) });
    if (process.env.NEIGHBOURS) console.log(`${form}: ${neighboursEach} neighbours of ${told(total)}`);
    // The replay replays something.
    expect(total.ended.get("answered")).toBeGreaterThan(0.9 * total.requests);
    expect(total.rows).toBeGreaterThan(total.scripts / 2);
  });
});

function lentPeople(seed: number): Lent {
  const neighbours = randomNeighbours(seed, neighboursEach);
  const { policy, scripts } = peopleScripts(seed, neighbours);
  const columns = columnNames.map((name, at) => ({ name, type: types[neighbours.types[at]!]! }));
  return {
    name: `people ${seed}`,
    policy: (side) =>
      readPolicy(
        `database: { kind: postgres }${policy.replace("file: people.duckdb", `relation: side_${side}.people\n    trusted: true`).replace("file: elsewhere.duckdb", `relation: side_${side}.elsewhere`)}`,
      ),
    scripts,
    sides: neighbours.tables.map((people) => ({ people })),
    columns: () => columns,
  };
}

function lentPolicy(seed: number): Lent {
  const on = (side: number) =>
    policyNeighbours(
      seed,
      neighboursEach,
      (table) => `relation: side_${side}.${table}`,
      "database: { kind: postgres }",
    );
  const { policy, questions, sides } = on(0);
  return {
    name: `policy ${seed}`,
    policy: (side) => on(side).policy,
    scripts: finishedScripts(seed, questions),
    sides,
    columns: (table) =>
      Object.keys(policy.tables[table]!.columns).map((name) => ({
        name,
        type: types[nativeTypes[name] ?? "VARCHAR"]!,
      })),
  };
}

function lentShop(seed: number): Lent {
  let text = "";
  const policyOn = (side: number): Policy =>
    readPolicy(
      `database: { kind: postgres }${text.replaceAll(/(\w+): \{ file: shop.duckdb/g, `$1: { relation: side_${side}.$1`)}`,
    );
  const { policy, scripts, sides } = shopNeighbours(seed, neighboursEach, (of) => {
    text = of;
    return policyOn(0);
  });
  return {
    name: `shop ${seed}`,
    policy: policyOn,
    scripts,
    sides,
    columns: (table) =>
      Object.keys(policy.tables[table]!.columns).map((name) => ({
        name,
        type: shopTypes[`${table}.${name}`] ?? shopTypes[name] ?? "text",
      })),
  };
}
