import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LetheError } from "@lethe/core";
import {
  compilePlan,
  compileTrees,
  duckdb,
  type Plan,
  parseQuestion,
  planAsked,
  policyHash,
  readPolicy,
  resolveQuestion,
  type SumColumn,
  stagePlan,
  verifyPlan,
  writeFrom,
  writeSql,
} from "@lethe/query";
import { describe, expect, it } from "vitest";
import { type GoldenQuestion, goldenPolicies, goldenQuestions } from "./golden-questions.ts";

/*
 * Question → plan → engine SQL, or question → refusal, as files that a reviewer can read. UPDATE_GOLDEN=1 writes them
 * anew; read the difference before committing it.
 */

const folder = fileURLToPath(new URL("../golden/duckdb", import.meta.url));
const updating = process.env.UPDATE_GOLDEN === "1";
const file = ({ name }: GoldenQuestion): string => `${name}.json`;

async function planOf({ policy: name, text, options = {} }: GoldenQuestion): Promise<Plan> {
  const policy = readPolicy(goldenPolicies[name]);
  return planAsked(resolveQuestion(await parseQuestion(text), policy), policy, options, policyHash(policy))
    .plan;
}

async function outcome(question: GoldenQuestion): Promise<unknown> {
  try {
    const plan = await planOf(question);
    return { plan: summary(plan), sql: sqlOf(plan) };
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    return { refusal: { code: error.code, message: error.message, fix: error.fix } };
  }
}

/** Returns the parts of a plan that decide price and meaning, with the trees of expressions as SQL. */
function summary(plan: Plan): unknown {
  const { program, parts } = plan.keys;
  return {
    ...("from" in plan ? { from: writeFrom(plan.from) } : {}),
    contribution: plan.contribution,
    adjacency: plan.adjacency,
    where: plan.where && writeSql(plan.where),
    keys: { expressions: parts.map(({ name }) => name), ...program },
    sums: plan.sums.map(sumText),
    measurements: plan.measurements,
    ...(plan.trees
      ? { trees: plan.trees.map((tree) => ({ ...tree, argument: writeSql(tree.argument) })) }
      : {}),
    ...(plan.learned
      ? {
          learned: {
            ...plan.learned,
            stages: plan.learned.stages.map((stage) => ({ ...stage, argument: writeSql(stage.argument) })),
          },
        }
      : {}),
    aggregates: plan.aggregates,
    ...(plan.outputs.some(({ kind }) => kind === "computed") ? { outputs: plan.outputs } : {}),
    price: plan.price,
  };
}

function sumText(sum: SumColumn): unknown {
  if (!("argument" in sum)) return sum;
  const other = "other" in sum ? { other: { ...sum.other, argument: writeSql(sum.other.argument) } } : {};
  return { ...sum, argument: sum.argument && writeSql(sum.argument), ...other };
}

function sqlOf(plan: Plan): unknown {
  const sql = (layout: "raw" | "snapshot"): string | readonly string[] => {
    const storageOf = (table: string) => ({ relation: ["lethe", "main", table], layout });
    const sums = compilePlan(plan, storageOf, duckdb).sql;
    const trees = compileTrees(plan, storageOf, duckdb).map((query) => query.sql);
    const stages = plan.learned
      ? compileTrees(stagePlan(plan), storageOf, duckdb).map((query) => query.sql)
      : [];
    return trees.length + stages.length === 0 ? sums : [...stages, sums, ...trees];
  };
  return { snapshot: sql("snapshot"), raw: sql("raw") };
}

describe("golden questions", () => {
  it("are many, each named once, and each with its file", () => {
    const names = goldenQuestions.map(file);
    expect(names.length).toBeGreaterThanOrEqual(40);
    expect(new Set(names).size).toBe(names.length);
    mkdirSync(folder, { recursive: true });
    if (!updating) expect(readdirSync(folder).sort()).toEqual([...names].sort());
  });

  it.each(goldenQuestions.map((question) => [question.name, question] as const))(
    "%s",
    async (_, question) => {
      const { name, policy, text } = question;
      const found = `${JSON.stringify({ name, policy, text, ...((await outcome(question)) as object) }, null, 2)}\n`;
      const path = `${folder}/${file(question)}`;
      if (updating) writeFileSync(path, found);
      expect(found).toBe(readFileSync(path, "utf8"));
      expect(found.includes('"refusal"'), "refusals are named so").toBe(
        name.startsWith("refused-") || ["pure-private", "pure-gaussian", "pure-delta"].includes(name),
      );
    },
  );

  it("are plain JSON, and price themselves again", async () => {
    for (const question of goldenQuestions) {
      const plan = await planOf(question).catch(() => null);
      if (plan === null) continue;
      const read = JSON.parse(JSON.stringify(plan)) as Plan;
      expect(read).toStrictEqual(plan);
      expect(() => verifyPlan(read)).not.toThrow();
      const [first] = read.measurements;
      if (first?.noise.mechanism !== "discrete-laplace@1") continue;
      // A certificate that claims less noise, or less sensitivity, is found out.
      const louder = { ...first, l1: `${BigInt(first.l1) + 1n}` };
      expect(() => verifyPlan({ ...read, measurements: [louder, ...read.measurements.slice(1)] })).toThrow();
    }
  });
});
