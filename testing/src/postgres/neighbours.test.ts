import { openPostgres } from "@lethe/engine-postgres";
import type { Engine } from "@lethe/query";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Lender, type LentNeighbours, lentForms } from "../replay/lent-neighbours.ts";
import { countsOf, nothing, type Replayed, replayScripts, together, told } from "../replay/replay-scripts.ts";
import { report } from "../replay/report.ts";
import { lendTable } from "./lent-table.ts";
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

const lender: Lender = {
  database: "database: { kind: postgres }",
  relation: (side, table) => `side_${side}.${table}`,
  types,
  shopTypes,
};

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

  async function replayed({ name, policy, scripts, sides, columns }: LentNeighbours): Promise<Replayed> {
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
    ["a table of people", cases],
    ["several private tables", policies],
    ["the tables of a shop", Math.ceil(cases / 4)],
  ] as const)("nothing that leaves differs but by the noise: %s", async (form, all) => {
    let total = nothing;
    for (let seed = firstSeed; seed < firstSeed + all; seed += 1)
      total = together(total, await replayed(lentForms[form](lender, seed, neighboursEach)));
    report(`${form} on PostgreSQL`, { pairs: all * neighboursEach, ...countsOf(total) });
    if (process.env.NEIGHBOURS) console.log(`${form}: ${neighboursEach} neighbours of ${told(total)}`);
    // The replay replays something.
    expect(total.ended.get("answered")).toBeGreaterThan(0.9 * total.requests);
    expect(total.rows).toBeGreaterThan(total.scripts / 2);
  });
});
