import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LetheError } from "@lethe/core";
import {
  compilePlan,
  compileTrees,
  type Plan,
  parseQuestion,
  planAsked,
  policyHash,
  readPolicy,
  resolveQuestion,
  trino,
} from "@lethe/query";
import { describe, expect, it } from "vitest";
import { type GoldenQuestion, goldenPolicies, goldenQuestions } from "../golden-questions.ts";

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

function statements(plan: Plan): readonly string[] {
  const storageOf = (table: string) =>
    ({ relation: ["lake", "public", table], layout: "raw", types }) as const;
  return [compilePlan(plan, storageOf, trino), ...compileTrees(plan, storageOf, trino)].map(({ sql }) => sql);
}

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
