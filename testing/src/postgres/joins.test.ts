import { canonicalKey, type ExactGroup } from "@lethe/core/mechanisms";
import { openPostgres } from "@lethe/engine-postgres";
import { compilePlan, type Engine, type Plan, type Policy, postgres, readPolicy } from "@lethe/query";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unseal } from "../../../packages/core/src/exact/exact.ts";
import { questionOf, randomShop, shapes } from "../joins/random-shop.ts";
import { type JoinWords, joinWords, shopPolicy } from "../joins/shop.ts";
import { planned } from "../planned.ts";
import { type RawTables, referenceGroups } from "../reference-evaluator.ts";
import { lendTable } from "./lent-table.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./start-postgres.ts";

/* The random shops of ../joins, whose keys break every promise: PostgreSQL computes what a nested loop over all rows does. */

const cases = Number(process.env.JOINS ?? 12);
const seed = "a secret seed";

/** Keys of one value in several types, which name the same unit all the same. */
const types: Readonly<Record<string, string>> = {
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

/** Conditions that PostgreSQL takes for no FULL JOIN. */
const fullJoins = [
  "SELECT COUNT(*), SUM(a.cost), COUNT(b.cost) FROM visits a FULL JOIN visits b ON a.person_id = b.person_id AND a.cost < b.cost",
  "SELECT b.ward, COUNT(*), SUM(age) FROM people FULL JOIN visits b ON id = person_id AND cost > 1 GROUP BY 1",
  "SELECT COUNT(*), SUM(a.weight, contribution_bounds_per_row => (0, 2)) FROM items i JOIN (codes a FULL JOIN codes b ON a.kind = b.kind AND a.weight < b.weight) ON i.code = a.code",
];

describe.skipIf(!hasPostgres())("questions over joins on PostgreSQL", () => {
  let server: PostgresServer;
  let client: Client;
  let engine: Engine;
  const logged: string[] = [];
  const policyOf = (groups: number, rows: number, joins: JoinWords = {}): Policy =>
    readPolicy(
      `database: { kind: postgres }${shopPolicy("add-or-remove-one", groups, rows, joins).replaceAll("file: shop.duckdb, ", "")}`,
    );

  beforeAll(async () => {
    server = await startPostgres();
    client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query("CREATE ROLE reader LOGIN");
    const log = (detail: string): number => logged.push(detail);
    engine = openPostgres({ policy: policyOf(1, 1), url: server.urlOf("reader"), seed, log });
  });
  afterAll(async () => {
    await engine.close();
    await client.end();
    await server.stop();
  });

  async function load(policy: Policy, tables: RawTables): Promise<void> {
    for (const [table, { columns }] of Object.entries(policy.tables)) {
      const typed = Object.keys(columns).map((name) => ({
        name,
        type: types[`${table}.${name}`] ?? types[name] ?? "text",
      }));
      await lendTable(client, table, typed, tables[table] ?? []);
    }
  }

  async function executed(plan: Plan, policy: Policy): Promise<readonly ExactGroup[]> {
    const storages = new Map(
      await Promise.all(
        Object.keys(policy.tables).map(async (table) => [table, await engine.storage(table)] as const),
      ),
    );
    const query = compilePlan(plan, (table) => storages.get(table)!, postgres);
    const rows = await engine.run(query).catch((error: unknown) => {
      throw new Error(`${plan.text}: ${error}: ${logged.at(-1)}: ${query.sql}`);
    });
    return unseal(rows).groups;
  }

  it("mean what the plan says", async () => {
    let groups = 0;
    for (let at = 1; at <= cases; at += 1) {
      const { tables, dice } = randomShop(at);
      const policy = policyOf(1 + dice.below(2), 1 + dice.below(3), at % 2 === 0 ? {} : joinWords(dice));
      await load(policy, tables);
      const asked = Array.from({ length: 6 }, (_, n) =>
        questionOf(dice, shapes[(at * 6 + n) % shapes.length]!),
      );
      for (const question of [...asked, ...fullJoins]) {
        const plan = await planned(question, policy);
        const found = await executed(plan, policy);
        const expected = referenceGroups(plan, tables, seed);
        expect(comparable(plan, found), `seed ${at}: ${question}`).toEqual(comparable(plan, expected));
        groups += found.length;
      }
    }
    expect(groups).toBeGreaterThan(5 * cases);
  });
});

/** In order of key, without groups of undeclared keys. */
function comparable(plan: Plan, groups: readonly ExactGroup[]): unknown {
  const { program, parts } = plan.keys;
  const exact = (part: string | number | boolean | null, at: number) => {
    const { domain } = parts[at]!.expression;
    return typeof part === "number" && domain.type === "number" && domain.integer ? BigInt(part) : part;
  };
  const declared =
    program.kind === "public" ? new Set(program.declared.map((key) => canonicalKey(key.map(exact)))) : null;
  return groups
    .map(({ key, units, sums }) => ({
      key: canonicalKey(key),
      units: program.kind === "private" ? `${units}` : "0",
      sums: sums.map(String),
    }))
    .filter(({ key }) => declared === null || declared.has(key))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
