import { type Measured, measure, movedBeyondPrice } from "@lethe/audit";
import { openPostgres } from "@lethe/engine-postgres";
import { readPolicy } from "@lethe/query";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plannedStages } from "../planned.ts";
import { columnNames, randomNeighbours } from "../random-neighbours.ts";
import { lendTable } from "./lent-table.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./start-postgres.ts";

/* Replay over neighbours, as ../neighbours.test.ts does it on DuckDB, through PostgreSQL and its engine. */

const cases = Number(process.env.NEIGHBOURS ?? 25);
const firstSeed = Number(process.env.NEIGHBOURS_SEED ?? 1);

/** For each of DuckDB's types one that misbehaves in its own way. */
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

describe.skipIf(!hasPostgres())("between neighbours on PostgreSQL", () => {
  let server: PostgresServer;
  let client: Client;
  beforeAll(async () => {
    server = await startPostgres();
    client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query("CREATE ROLE reader LOGIN");
    const icu = "provider = icu, deterministic = false";
    await client.query(`CREATE COLLATION nocase (${icu}, locale = 'und-u-ks-level2')`);
    await client.query(`CREATE COLLATION noaccent (${icu}, locale = 'und-u-ks-level1-kc-true')`);
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  it("no measurement moves farther than it was charged for", async () => {
    for (let seed = firstSeed; seed < firstSeed + cases; seed += 1) {
      const { policy: text, questions, types: native, tables } = randomNeighbours(seed);
      const policy = readPolicy(
        `database: { kind: postgres }${text.replace("file: people.duckdb", "relation: public.side")}`,
      );
      const columns = columnNames.map((name, at) => ({ name, type: types[native[at]!]! }));
      const logged: string[] = [];
      const log = (detail: string): number => logged.push(detail);
      const asked = questions.map((question) => plannedStages(question, policy, { epsilon: null }));
      const plans = (await Promise.all(asked)).flat();
      const answers: Measured[][] = [];
      const engine = openPostgres({ policy, url: server.urlOf("reader"), seed: "a secret seed", log });
      try {
        for (const rows of tables) {
          await lendTable(client, "side", columns, rows);
          const found = [];
          for (const plan of plans) found.push(await measure(plan, { engine }));
          answers.push(found);
        }
      } finally {
        await engine.close();
      }
      for (const [n, plan] of plans.entries()) {
        const [base, neighbour] = [answers[0]![n] ?? null, answers[1]![n] ?? null];
        expect(base, `seed ${seed}: ${plan.text}: ${logged.at(-1)}`).not.toBeNull();
        const broken = movedBeyondPrice(plan, base, neighbour);
        expect(broken, `seed ${seed}: ${plan.text}`).toEqual([]);
      }
    }
  });
});
