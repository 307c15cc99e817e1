import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LetheError } from "@lethe/core";
import {
  type CompiledQuery,
  compilePlan,
  compileTrees,
  type Plan,
  parseQuestion,
  planAsked,
  policyHash,
  postgres,
  readPolicy,
  resolveQuestion,
  tablesRead,
} from "@lethe/query";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Dice } from "../dice.ts";
import { comparable, comparableCells, seed } from "../differential-data.ts";
import { type GoldenQuestion, goldenPolicies, goldenQuestions } from "../golden-questions.ts";
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
 * The golden questions as PostgreSQL is asked them, one file each (../../golden/postgres); what the plans are, and what is
 * refused, stands beside DuckDB's. UPDATE_GOLDEN=1 writes them anew. On a server each means what the reference says.
 */

const folder = fileURLToPath(new URL("../../golden/postgres", import.meta.url));
const updating = process.env.UPDATE_GOLDEN === "1";

const types: Readonly<Record<string, string>> = {
  id: "int8",
  wage: "float8",
  bonus: "decimal",
  debt: "float8",
  age: "int2",
  sector: "text",
  town: "varchar",
  married: "bool",
};

async function planOf({ policy: name, text, options = {} }: GoldenQuestion): Promise<Plan | null> {
  const policy = readPolicy(goldenPolicies[name]);
  try {
    return planAsked(resolveQuestion(await parseQuestion(text), policy), policy, options, policyHash(policy))
      .plan;
  } catch (error) {
    if (error instanceof LetheError) return null;
    throw error;
  }
}

/** The plan's sums, then the cells of each of its trees. */
function compiled(plan: Plan): readonly CompiledQuery[] {
  const storageOf = (table: string) => ({ relation: ["public", table], layout: "raw", types }) as const;
  return [compilePlan(plan, storageOf, postgres), ...compileTrees(plan, storageOf, postgres)];
}

const answered = (
  await Promise.all(goldenQuestions.map(async (question) => [question, await planOf(question)] as const))
)
  .filter((pair): pair is readonly [GoldenQuestion, Plan] => pair[1] !== null)
  .map(([question, plan]) => [question.name, plan] as const);

describe("golden questions for PostgreSQL", () => {
  it("have a file each, and no other file is there", () => {
    mkdirSync(folder, { recursive: true });
    if (!updating) expect(readdirSync(folder).sort()).toEqual(answered.map(([name]) => `${name}.sql`).sort());
    expect(answered.length).toBeGreaterThan(30);
  });

  it.each(answered)("%s", (name, plan) => {
    const found = `-- ${plan.text}\n${compiled(plan)
      .map(({ sql }) => `${sql}\n`)
      .join("\n")}`;
    if (updating) writeFileSync(`${folder}/${name}.sql`, found);
    expect(found).toBe(readFileSync(`${folder}/${name}.sql`, "utf8"));
  });
});

describe.skipIf(!hasPostgres())("golden questions on PostgreSQL", () => {
  let server: PostgresServer;
  let client: Client;
  beforeAll(async () => {
    server = await startPostgres();
    client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query("CREATE ROLE reader LOGIN");
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  it("mean what the reference says, to the last digit", async () => {
    const dice = new Dice(4);
    const one = (...list: readonly RawValue[]): RawValue => dice.one(list);
    const rows = Array.from(
      { length: 200 },
      (): RawRow => ({
        id: one(1n, 2n, 3n, 4n, 5n, 6n, BigInt(dice.below(60)), null),
        wage: one(null, Number.NaN, Number.POSITIVE_INFINITY, -0, dice.below(700) / 10, 1e308, 5e-324),
        bonus: one(null, Number.NaN, dice.below(120) / 10, 1e9),
        debt: one(null, Number.NEGATIVE_INFINITY, dice.below(9000) - 2000, -1e308),
        age: one(null, BigInt(dice.below(130)), BigInt(dice.below(130)), -5n),
        sector: one("manufacturing", "construction", "other", "else", "", null),
        town: one("Oslo", "oslo", "Bergen", "O'Brien", "\ufeffO'B", "Å", "", null, "x".repeat(300)),
        married: one(true, false, null),
      }),
    );
    await lendTable(
      client,
      "people",
      Object.entries(types).map(([name, type]) => ({
        name,
        type: type === "decimal" ? "numeric(12, 2)" : type,
      })),
      rows,
    );
    for (const [name, plan] of answered) {
      // Those over several tables are compared in ./joins.test.ts, on data made for them.
      if (tablesRead(plan).some((table) => table !== "people")) continue;
      const results: ReferenceGroup[][] = [];
      for (const query of compiled(plan)) {
        const { rows: found } = await client.query({
          text: query.sql,
          values: query.needsSeed ? [seed] : [],
          rowMode: "array",
        });
        results.push(
          found.map(
            (row): ReferenceGroup => ({
              key: row.slice(0, query.keys).map((part: unknown, at: number) => keyPart(plan, at, part)),
              units: BigInt(row[query.keys]),
              sums: row.slice(query.keys + 1).map(BigInt),
            }),
          ),
        );
      }
      const [groups, ...ofTrees] = results;
      expect(comparable(plan, groups!), name).toEqual(comparable(plan, referenceGroups(plan, rows, seed)));
      expect(
        ofTrees.map((cells) => comparableCells(plan, cells)),
        name,
      ).toEqual(referenceCells(plan, rows, seed).map((cells) => comparableCells(plan, cells)));
    }
  });
});

function keyPart(plan: Plan, at: number, part: unknown): ReferenceGroup["key"][number] {
  // Behind the keys stands the cell of a tree.
  if (at === plan.keys.parts.length) return BigInt(part as string);
  const { domain } = plan.keys.parts[at]!.expression;
  if (part !== null && domain.type === "number" && domain.integer) return BigInt(part as string);
  return part as ReferenceGroup["key"][number];
}
