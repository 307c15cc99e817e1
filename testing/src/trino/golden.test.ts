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
  readPolicy,
  resolveQuestion,
  tablesRead,
  trino,
} from "@lethe/query";
import { afterAll, describe, expect, it } from "vitest";
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
import { askTrino, freshTable, hasTrino } from "./ask-trino.ts";
import { lendTrinoTable } from "./lend-trino-table.ts";
import { trinoGroups } from "./trino-groups.ts";

/*
 * The golden questions as Trino would be asked them, one file each (../../../golden/trino): a third dialect is a folder. No server of
 * Trino is among the tests: a parser of its grammar has taken these texts, and nobody has run them. UPDATE_GOLDEN=1 writes them anew.
 */

const folder = fileURLToPath(new URL("../../golden/trino", import.meta.url));
const updating = process.env.UPDATE_GOLDEN === "1";

const types: Readonly<Record<string, string>> = {
  id: "bigint",
  wage: "double",
  bonus: "decimal(12,2)",
  debt: "double",
  age: "smallint",
  sector: "varchar",
  town: "varchar",
  married: "boolean",
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
function compiled(plan: Plan, relationOf: (table: string) => readonly string[]): readonly CompiledQuery[] {
  const storageOf = (table: string) => ({ relation: relationOf(table), layout: "raw", types }) as const;
  return [compilePlan(plan, storageOf, trino), ...compileTrees(plan, storageOf, trino)];
}

const statements = (plan: Plan): readonly string[] =>
  compiled(plan, (table) => ["lake", "public", table]).map(({ sql }) => sql);

/** Whether Trino has all that a plan asks for: it has no patterns whose time is bounded. */
function isWritten(plan: Plan): boolean {
  try {
    return statements(plan).length > 0;
  } catch (error) {
    if (error instanceof LetheError && error.code === "query.unsupported") return false;
    throw error;
  }
}

const answered = (
  await Promise.all(goldenQuestions.map(async (question) => [question, await planOf(question)] as const))
)
  .filter((pair): pair is readonly [GoldenQuestion, Plan] => pair[1] !== null && isWritten(pair[1]))
  .map(([question, plan]) => [question.name, plan] as const);

describe("golden questions for Trino", () => {
  it("have a file each, and no other file is there", () => {
    mkdirSync(folder, { recursive: true });
    if (!updating) expect(readdirSync(folder).sort()).toEqual(answered.map(([name]) => `${name}.sql`).sort());
    expect(answered.length).toBeGreaterThan(30);
  });

  it.each(answered)("%s", (name, plan) => {
    const found = `-- ${plan.text}\n${statements(plan)
      .map((sql) => `${sql}\n`)
      .join("\n")}`;
    if (updating) writeFileSync(`${folder}/${name}.sql`, found);
    expect(found).toBe(readFileSync(`${folder}/${name}.sql`, "utf8"));
  });

  it("say nothing that other dialects alone understand", () => {
    // Words and operators of DuckDB and PostgreSQL that Trino has not, outside of texts and names in quotes.
    const foreign =
      /<<|>>|::|\/\/|[&#~]|IS TRUE|\b(?:MATERIALIZED|HUGEINT|COLLATE|LATERAL|OFFSET|bit_or|isfinite|btrim|float8|numeric|list_transform|lambda)\b/;
    for (const [name, plan] of answered)
      for (const sql of statements(plan))
        expect(sql.replace(/(?:U&)?'(?:[^']|'')*'|"(?:[^"]|"")*"/g, "").match(foreign), name).toBeNull();
  });
});

describe.skipIf(!hasTrino())("golden questions on Trino (LETHE_TRINO)", () => {
  const table = freshTable("golden");
  afterAll(() => askTrino(`DROP TABLE IF EXISTS ${table}`));

  it("mean what the reference says, to the last digit", async () => {
    const dice = new Dice(4);
    const one = (...list: readonly RawValue[]): RawValue => dice.one(list);
    const rows = Array.from(
      { length: 200 },
      (): RawRow => ({
        id: one(1n, 2n, 3n, 4n, 5n, 6n, BigInt(dice.below(60)), null),
        wage: one(null, Number.NaN, Number.POSITIVE_INFINITY, -0, dice.below(700) / 10, 1e308, 5e-324),
        bonus: one(null, dice.below(120) / 10, 1e9),
        debt: one(null, Number.NEGATIVE_INFINITY, dice.below(9000) - 2000, -1e308),
        age: one(null, BigInt(dice.below(130)), BigInt(dice.below(130)), -5n),
        sector: one("manufacturing", "construction", "other", "else", "", null),
        town: one("Oslo", "oslo", "Bergen", "O'Brien", "\ufeffO'B", "Å", "", null, "x".repeat(300)),
        married: one(true, false, null),
      }),
    );
    const columns = Object.entries(types).map(([name, type]) => ({ name, type }));
    await lendTrinoTable(table, columns, rows);
    const asked = answered.filter(([, plan]) => tablesRead(plan).every((each) => each === "people"));
    expect(asked.length).toBeGreaterThan(60);
    for (const [name, plan] of asked) {
      const results: ReferenceGroup[][] = [];
      for (const query of compiled(plan, () => table.split(".")))
        results.push(await trinoGroups(query, plan, seed));
      const [groups, ...ofTrees] = results;
      expect(comparable(plan, groups!), name).toEqual(comparable(plan, referenceGroups(plan, rows, seed)));
      expect(
        ofTrees.map((cells) => comparableCells(plan, cells)),
        name,
      ).toEqual(referenceCells(plan, rows, seed).map((cells) => comparableCells(plan, cells)));
    }
  });
});
