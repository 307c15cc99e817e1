import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LetheError } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import {
  compilePlan,
  compileTrees,
  duckdb,
  type Plan,
  parseQuestion,
  placeOf,
  planAlone,
  planQuestion,
  policyHash,
  postgres,
  readPolicy,
  resolveQuestion,
  type SumColumn,
  stagePlan,
  verifyPlan,
  writeSql,
} from "@lethe/query";
import { describe, expect, it } from "vitest";
import { goldenPolicies } from "../golden-questions.ts";
import { aggregates } from "./aggregates.ts";
import { conditions } from "./conditions.ts";
import type { CorpusPolicy, CorpusQuestion } from "./corpus-question.ts";
import { groups } from "./groups.ts";
import { insideUnits } from "./inside-units.ts";
import { learned } from "./learned.ts";
import { quantiles } from "./quantiles.ts";
import { refusals } from "./refusals.ts";
import { schemas } from "./schemas.ts";
import { texts } from "./texts.ts";
import { times } from "./times.ts";

/*
 * What becomes of some hundreds of questions: the plan in a few words and the SQL of each dialect, or the refusal with its place,
 * its fix and its rewrite. One file a topic in ../../golden/corpus; UPDATE_GOLDEN=1 writes them anew: read the difference.
 */

const topics: Readonly<Record<string, readonly CorpusQuestion[]>> = {
  aggregates,
  conditions,
  groups,
  "inside-units": insideUnits,
  learned,
  schemas,
  quantiles,
  refusals,
  texts,
  times,
};
const folder = fileURLToPath(new URL("../../golden/corpus", import.meta.url));
const updating = process.env.UPDATE_GOLDEN === "1";

async function planOf(policyName: CorpusPolicy, text: string): Promise<Plan> {
  const policy = readPolicy(goldenPolicies[policyName]);
  const asked = await parseQuestion(text);
  const options = /epsilon\s*=/.test(text) ? {} : { epsilon: one };
  return planQuestion(resolveQuestion(asked, policy), policy, options, policyHash(policy));
}

type Outcome = { readonly plan: Plan } | { readonly refusal: LetheError };

async function outcomeOf({ policy, text }: CorpusQuestion): Promise<Outcome> {
  try {
    return { plan: await planOf(policy, text) };
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    return { refusal: error };
  }
}

function written({ policy, text }: CorpusQuestion, outcome: Outcome): string {
  const lines = "plan" in outcome ? plansOf(outcome.plan).flatMap(answered) : refused(text, outcome.refusal);
  return [`${policy}: ${text}`, ...lines.map((line) => `  ${line}`), ""].join("\n");
}

/** The plans of all questions of a text, each as if it had been asked alone. */
function plansOf(plan: Plan): readonly Plan[] {
  return [planAlone(plan), ...(plan.others ?? []).map((other) => other.plan)];
}

function answered(plan: Plan): string[] {
  const { keys, contribution, adjacency, measurements, sums, price } = plan;
  const program =
    keys.program.kind === "private" ? `private, ${JSON.stringify(keys.program.rule)}` : keys.program.kind;
  const relation = (table: string) => ({ relation: ["lethe", table], layout: "raw" as const, types: {} });
  return [
    `keys ${[program, ...keys.parts.map(({ name }) => name)].join(", ")}`,
    ...(plan.groupings ? [`groupings ${JSON.stringify(plan.groupings)}`] : []),
    `${contribution.limit}, k ${contribution.groups}, r ${contribution.rows}, ${adjacency}`,
    ...sums.map(({ name, ...sum }) => `${name}: ${sumText(sum)}`),
    ...measurements.map(
      ({ name, l1, l2Squared, noise, terms }) =>
        `${name} = ${terms.map(({ sum, coefficient }) => `${coefficient}·${sum}`).join(" + ") || "constant"}, ` +
        `Δ₁ ${l1}, Δ₂² ${l2Squared}, ${JSON.stringify(noise)}`,
    ),
    ...(plan.totals ?? []).flatMap(({ keys: by, share, declared, measurements: totals }) => [
      `totals by ${JSON.stringify(by)}, share ${share}, ${declared ? `${declared.length} public` : "those of released groups"}`,
      ...totals.map(
        ({ name, l1, l2Squared, noise }) => `${name}, Δ₁ ${l1}, Δ₂² ${l2Squared}, ${JSON.stringify(noise)}`,
      ),
    ]),
    ...(plan.trees ?? []).map(
      ({ name, cellWidth, branching, height, l1, l2Squared, noise }) =>
        `${name} of width ${cellWidth}, ${branching}^${height}, Δ₁ ${l1}, Δ₂² ${l2Squared}, ${JSON.stringify(noise)}`,
    ),
    ...(plan.learned?.stages ?? []).map(
      ({ argument, ends, l1, l2Squared, noise, bounds }) =>
        `bounds of ${writeSql(argument)} learned among ${ends.length} ends from ${ends[0]} to ${ends.at(-1)}, Δ₁ ${l1}, Δ₂² ${l2Squared}, ${JSON.stringify(noise)}; assumed ${JSON.stringify(bounds)}`,
    ),
    `price ${JSON.stringify(price)}`,
    ...[duckdb, postgres].flatMap((dialect) =>
      [
        ...(plan.learned ? compileTrees(stagePlan(plan), relation, dialect) : []),
        compilePlan(plan, relation, dialect),
        ...compileTrees(plan, relation, dialect),
      ].map(({ sql }) => `${dialect.name} ${sql}`),
    ),
  ];
}

function sumText(sum: SumColumn): string {
  return JSON.stringify(sum, (_, value) =>
    value !== null && typeof value === "object" && "domain" in value ? writeSql(value) : value,
  );
}

function refused(text: string, { code, message, fix, fields, offset }: LetheError): string[] {
  const { line, column } = placeOf(text, offset ?? 0);
  const place = offset === undefined ? "" : ` at ${line}:${column}`;
  return [
    `refused ${code}${place}: ${message}`,
    `fix ${fix}`,
    ...("rewrite" in fields ? [`rewrite ${fields.rewrite}`] : []),
  ];
}

const outcomes = new Map<CorpusQuestion, Outcome>();
for (const question of Object.values(topics).flat()) outcomes.set(question, await outcomeOf(question));

describe("the corpus", () => {
  it("holds 400 questions or more, each asked once, and a file for each topic", () => {
    const all = [...outcomes.keys()].map(({ policy, text }) => `${policy} ${text}`);
    expect(all.length).toBeGreaterThanOrEqual(400);
    expect(new Set(all).size).toBe(all.length);
    mkdirSync(folder, { recursive: true });
    const names = Object.keys(topics).map((topic) => `${topic}.txt`);
    if (!updating) expect(readdirSync(folder).sort()).toEqual(names.sort());
  });

  it.each(Object.entries(topics))("%s", (topic, questions) => {
    const found = questions.map((question) => written(question, outcomes.get(question)!)).join("\n");
    const path = `${folder}/${topic}.txt`;
    if (updating) writeFileSync(path, found);
    expect(found).toBe(readFileSync(path, "utf8"));
  });

  it("has plans that prove themselves, and refusals that tell what to do", () => {
    for (const outcome of outcomes.values()) {
      if ("plan" in outcome)
        for (const plan of plansOf(outcome.plan)) expect(() => verifyPlan(plan), plan.text).not.toThrow();
      else expect(outcome.refusal.fix).not.toBe("");
    }
  });

  it("suggests rewrites that are accepted", async () => {
    let rewrites = 0;
    for (const [{ policy, text }, outcome] of outcomes) {
      if (!("refusal" in outcome) || !("rewrite" in outcome.refusal.fields)) continue;
      rewrites += 1;
      const rewrite = String(outcome.refusal.fields.rewrite);
      await expect(planOf(policy, rewrite), `${text} → ${rewrite}`).resolves.toBeDefined();
    }
    expect(rewrites).toBeGreaterThan(40);
  });
});
