import { openTrino } from "@lethe/engine-trino";
import type { Engine } from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Lender, type LentNeighbours, lentForms } from "../replay/lent-neighbours.ts";
import { countsOf, nothing, type Replayed, replayScripts, together, told } from "../replay/replay-scripts.ts";
import { report } from "../replay/report.ts";
import { hasTrino } from "./ask-trino.ts";
import { lendTrinoTable } from "./lend-trino-table.ts";
import { neighbourTypes } from "./neighbour-types.ts";
import { type TrinoTables, trinoTables, trinoUrlOf } from "./trino-tables.ts";

/* Replay of whole answers over neighbours, as ../neighbours.test.ts does it on DuckDB, through Trino and its engine. */

/** Requests of each form; a seed has some. */
const requestsEach = Number(process.env.NEIGHBOURS_REQUESTS ?? 3) / 3;
const firstSeed = Number(process.env.NEIGHBOURS_SEED ?? 1);
const neighboursEach = Number(process.env.NEIGHBOURS_EACH ?? 1);

const shopTypes: Readonly<Record<string, string>> = {
  "people.id": "integer",
  "visits.person_id": "decimal(20,4)",
  age: "smallint",
  day: "integer",
  grade: "bigint",
  cost: "double",
  price: "double",
  weight: "double",
  fee: "double",
};

describe.skipIf(!hasTrino())("between neighbours on Trino (LETHE_TRINO)", () => {
  const schemas: TrinoTables[] = [];
  const lender: Lender = {
    database: "database: { kind: trino, url_env: LETHE_DATABASE_URL }",
    relation: (side, table) => `memory.${schemas[side]!.schema}.${table}`,
    types: neighbourTypes,
    shopTypes,
  };
  beforeAll(async () => {
    for (let side = 0; side <= neighboursEach; side += 1) schemas.push(await trinoTables());
  });
  afterAll(async () => {
    for (const { drop } of schemas) await drop();
  });

  async function replayed({ name, policy, scripts, sides, columns }: LentNeighbours): Promise<Replayed> {
    const logged: string[] = [];
    const log = (detail: string): number => logged.push(detail);
    const engines: Engine[] = [];
    try {
      for (const [side, tables] of sides.entries()) {
        for (const table of Object.keys(policy(side).tables))
          await lendTrinoTable(lender.relation(side, table), columns(table), tables[table] ?? []);
        engines.push(
          openTrino({ policy: policy(side), url: trinoUrlOf("lethe"), seed: "a secret seed", log }),
        );
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

  it.each(["a table of people", "several private tables", "the tables of a shop"] as const)(
    "nothing that leaves differs but by the noise: %s",
    async (form) => {
      let total = nothing;
      for (let seed = firstSeed; total.requests < requestsEach; seed += 1) {
        total = together(total, await replayed(lentForms[form](lender, seed, neighboursEach)));
        if (process.env.NEIGHBOURS_EACH) console.log(`${form} ${seed}: ${told(total)}`);
      }
      report(`${form} on Trino`, { neighbours: neighboursEach, ...countsOf(total) });
      // The replay replays something.
      expect(total.ended.get("answered")).toBeGreaterThan(0.5 * total.requests);
      expect(total.rows).toBeGreaterThan(total.scripts / 2);
    },
  );
});
