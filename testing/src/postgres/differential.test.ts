import { openPostgres } from "@lethe/engine-postgres";
import { compilePlan, compileTrees, type Engine, type Plan, type Policy, postgres } from "@lethe/query";
import fc from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unseal } from "../../../packages/core/src/exact/exact.ts";
import {
  comparable,
  comparableCells,
  names,
  nativeRow,
  ofBoundedRows,
  ofUnits,
  policyOf,
  questions,
  seed,
  textRow,
  type Where,
} from "../differential-data.ts";
import { plannedStages } from "../planned.ts";
import {
  type RawRow,
  type RawValue,
  type ReferenceGroup,
  referenceCells,
  referenceGroups,
} from "../reference-evaluator.ts";
import { lendTable } from "./lent-table.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./start-postgres.ts";

/*
 * The questions and rows of ../differential.test.ts, where DuckDB is compared with the same reference: what PostgreSQL
 * computes of them through its engine, schema check and all, is the same to the last digit. Trusted, for its units have a collation
 * for which some that differ are equal: how they are spelled counts all the same.
 */

const where: Where = {
  policy: "database: { kind: postgres }",
  table: "relation: public.people\n    trusted: true",
};

type Types = Readonly<Record<string, string>>;
const doubles: Types = {
  ...{ pid: "text", wage: "float8", rate: "float8", wild: "float8", age: "float8", grade: "float8" },
  ...{ code: "float8", sector: "text", town: 'varchar COLLATE "nocase"', member: "boolean" },
  ...{ since: "date", born: "date", seen: "timestamp" },
};
const exact: Types = {
  ...{ pid: 'varchar COLLATE "nocase"', wage: "numeric", rate: "numeric", wild: "numeric", age: "int4" },
  ...{ grade: "int2", code: "int8", sector: 'text COLLATE "nocase"', town: "text", member: "boolean" },
  ...{ since: "timestamp", born: "timestamptz", seen: "timestamptz" },
};
const texts: Types = Object.fromEntries(names.map((name) => [name, "text"]));

const ranges: Readonly<Record<string, number>> = { int2: 2 ** 15, int4: 2 ** 31, int8: 2 ** 63 };

/** Returns a value as a column of whole numbers holds it: null for what it cannot hold. */
function kept(value: RawValue, type: string): RawValue {
  const range = ranges[type];
  if (range === undefined || typeof value !== "number") return value;
  return Number.isInteger(value) && value >= -range && value < range ? BigInt(value) : null;
}

describe.skipIf(!hasPostgres())("PostgreSQL computes what a plan means", () => {
  let server: PostgresServer;
  let client: Client;
  beforeAll(async () => {
    server = await startPostgres();
    client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query("CREATE ROLE reader LOGIN");
    // What a session takes for its time zone changes nothing.
    await client.query("ALTER ROLE reader SET timezone = 'Asia/Kolkata'");
    await client.query("SET timezone = 'UTC'");
    await client.query(
      "CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
    );
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  /** The plan's sums, then the cells of each of its trees. */
  async function executed(
    plan: Plan,
    engine: Engine,
    logged: readonly string[],
  ): Promise<readonly ReferenceGroup[][]> {
    const storage = await engine.storage("people");
    const all: ReferenceGroup[][] = [];
    for (const query of [
      compilePlan(plan, () => storage, postgres),
      ...compileTrees(plan, () => storage, postgres),
    ]) {
      const rows = await engine.run(query).catch((error: unknown) => {
        throw new Error(`${plan.text}: ${error}: ${logged.at(-1)}: ${query.sql}`);
      });
      all.push(unseal(rows).groups as ReferenceGroup[]);
    }
    return all;
  }

  for (const [unit, groups, bound] of [
    ["row", 1, "groups-after-filter"],
    ["pid", 2, "groups-after-filter"],
    ["pid", 2, "rows-before-filter"],
  ] as const) {
    const policy: Policy = policyOf(unit, groups, where, bound);
    for (const [kind, arbitrary, types] of [
      ["doubles", nativeRow, doubles],
      ["exact numbers", nativeRow, exact],
      ["texts", textRow, texts],
    ] as const) {
      it(`unit: ${unit} in ${groups} groups, ${bound}, columns of ${kind}`, async () => {
        const ofThem = bound === "rows-before-filter" ? ofBoundedRows : [...questions, ...ofUnits];
        const asked = unit === "row" ? questions : ofThem;
        const plans = (await Promise.all(asked.map((question) => plannedStages(question, policy)))).flat();
        const columns = names.map((name) => ({ name, type: types[name]! }));
        const logged: string[] = [];
        const log = (detail: string): number => logged.push(detail);
        const engine = openPostgres({ policy, url: server.urlOf("reader"), seed, log });
        try {
          await fc.assert(
            fc.asyncProperty(fc.array(arbitrary, { maxLength: 40 }), async (raw) => {
              const rows = raw.map(
                (row): RawRow =>
                  Object.fromEntries(names.map((name) => [name, kept(row[name] ?? null, types[name]!)])),
              );
              await lendTable(client, "people", columns, rows);
              for (const plan of plans) {
                const expected = comparable(plan, referenceGroups(plan, rows, seed));
                const [groups, ...ofTrees] = await executed(plan, engine, logged);
                expect(comparable(plan, groups!), plan.text).toEqual(expected);
                expect(
                  ofTrees.map((each) => comparableCells(plan, each)),
                  plan.text,
                ).toEqual(referenceCells(plan, rows, seed).map((each) => comparableCells(plan, each)));
              }
            }),
            { numRuns: bound === "rows-before-filter" ? 2 : 5, seed: 11, endOnFailure: true },
          );
        } finally {
          await engine.close();
        }
      });
    }
  }

  it("LIKE, in time that no text and no pattern can stretch", async () => {
    await client.query("CREATE TABLE long AS SELECT repeat('a', 10000) AS text");
    for (const pattern of [
      `${"%a_".repeat(80)}b`,
      `${"%aaaaaaaa%_".repeat(80)}b%`,
      `${"%_a".repeat(200)}%b%c`,
    ]) {
      const like = postgres.operators.like(["long.text", postgres.text(pattern)], {
        kind: "call",
        operator: "like",
        args: [
          {
            kind: "column",
            name: "text",
            domain: { type: "text", nullable: true, values: null, maxLength: 9 },
          },
          {
            kind: "literal",
            value: pattern,
            domain: { type: "text", nullable: false, values: [pattern], maxLength: 999 },
          },
        ],
        domain: { type: "boolean", nullable: true },
      });
      const { rows } = await client.query(`SELECT ${like} AS found FROM long`);
      expect(rows).toEqual([{ found: false }]);
    }
  });
});
