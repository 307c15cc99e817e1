import { measure, replayPlan } from "@lethe/audit";
import { LetheError } from "@lethe/core";
import { openTrino } from "@lethe/engine-trino";
import { type Plan, type Policy, snapshotSelect, type TableStorage, trino } from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { comparable, comparableCells } from "../differential-data.ts";
import { plannedStages } from "../planned.ts";
import { nativeTypes, type PolicyNeighbours, policyNeighbours } from "../policies/policy-cases.ts";
import { referenceCells, referenceGroups } from "../reference-evaluator.ts";
import { report } from "../replay/report.ts";
import { askTrino, hasTrino } from "./ask-trino.ts";
import { lendTrinoTable } from "./lend-trino-table.ts";
import { neighbourTypes } from "./neighbour-types.ts";
import { type TrinoTables, trinoTables, trinoUrlOf } from "./trino-tables.ts";

/*
 * Questions to policies of several tables, over neighbours that differ in one unit: no exact measurement that Trino computes moves farther than the plan derived, of tables as they lie and as a snapshot
 * has them, and those of the first neighbour are what the reference says. `npm run bench -- replay` takes 2,000 questions and four neighbours each.
 */

const questions = Number(process.env.TRINO_PAIRS ?? 6);
const firstSeed = Number(process.env.POLICY_PAIRS_SEED ?? 1);
const neighbours = Number(process.env.TRINO_PAIRS_NEIGHBOURS ?? 1);
/** The most questions of one policy: to make its tables takes longer than to ask. */
const questionsEach = 20;
/** Policies at a time: most of a small question's time is its way through the server. */
const policiesAtOnce = 3;
const seed = "a secret seed";

describe.skipIf(!hasTrino())("policies of several tables on Trino (LETHE_TRINO)", () => {
  let own: TrinoTables;
  beforeAll(async () => {
    own = await trinoTables();
  });
  afterAll(() => own.drop());

  const typesOf = (policy: Policy, table: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.keys(policy.tables[table]!.columns).map((name) => [
        name,
        neighbourTypes[nativeTypes[name] ?? "VARCHAR"]!,
      ]),
    );

  /** Makes the tables of all sides, and their snapshots. */
  async function lend({ policy, sides }: PolicyNeighbours, at: number): Promise<void> {
    for (const [side, tables] of sides.entries())
      for (const [table, declared] of Object.entries(policy.tables)) {
        const types = typesOf(policy, table);
        const raw = `memory.${own.schema}.raw_${table}_${at}_${side}`;
        const columns = Object.entries(types).map(([name, type]) => ({ name, type }));
        await lendTrinoTable(raw, columns, tables[table] ?? []);
        await askTrino(
          `CREATE TABLE memory.${own.schema}.snapshot_${table}_${at}_${side} AS ${snapshotSelect(declared, raw, trino, types)}`,
        );
      }
  }

  async function remove({ policy, sides }: PolicyNeighbours, at: number): Promise<void> {
    for (const side of sides.keys())
      for (const table of Object.keys(policy.tables))
        for (const layout of ["raw", "snapshot"])
          await askTrino(`DROP TABLE IF EXISTS memory.${own.schema}.${layout}_${table}_${at}_${side}`);
  }

  it("no measurement moves farther than derived, and each is the reference's", async () => {
    const seen = { questions: 0, refused: 0, plans: 0, moved: 0 };
    const findings: string[] = [];
    const differences: string[] = [];
    let next = firstSeed;
    const replayOne = async (): Promise<void> => {
      while (seen.questions < questions) {
        const at = next++;
        const drawn = policyNeighbours(at, neighbours, undefined, "", questionsEach);
        await lend(drawn, at);
        const logged: string[] = [];
        const engine = openTrino({
          policy: drawn.policy,
          url: trinoUrlOf("lethe", `memory/${own.schema}`),
          seed,
          log: (detail) => logged.push(detail),
        });
        try {
          for (const [n, text] of drawn.questions.entries()) {
            if (seen.questions >= questions) break;
            seen.questions += 1;
            const plans = await plansOf(text, drawn.policy);
            if (plans.length === 0) seen.refused += 1;
            const layout = n % 2 === 0 ? "raw" : "snapshot";
            const lies =
              (side: number) =>
              (table: string): TableStorage => ({
                relation: ["memory", own.schema, `${layout}_${table}_${at}_${side}`],
                layout,
                ...(layout === "raw" ? { types: typesOf(drawn.policy, table) } : {}),
              });
            const databases = drawn.sides.map((_, side) => ({ engine, lies: lies(side) }));
            for (const plan of plans) {
              seen.plans += 1;
              const named = (what: string): string => `policy ${at}, ${layout}: ${text}: ${what}`;
              findings.push(...(await replayPlan(plan, databases)).map((what) => named(what)));
              if ((await replayPlan(unmoved(plan), databases.slice(0, 2))).length > 0) seen.moved += 1;
              const found = await measure(plan, databases[0]!);
              const [groups, ...cells] = found ?? [];
              const expected = [
                comparable(plan, referenceGroups(plan, drawn.sides[0]!, seed)),
                ...referenceCells(plan, drawn.sides[0]!, seed).map((of) => comparableCells(plan, of)),
              ];
              const is = groups && [
                comparable(plan, groups),
                ...cells.map((of) => comparableCells(plan, of)),
              ];
              if (!same(is, expected)) differences.push(named(logged.at(-1) ?? "another answer"));
            }
          }
        } finally {
          await engine.close();
          await remove(drawn, at);
        }
      }
    };
    await Promise.all(Array.from({ length: policiesAtOnce }, replayOne));
    report("pairs on Trino", {
      neighbours,
      ...seen,
      findings: findings.length,
      differences: differences.length,
    });
    expect(findings).toEqual([]);
    expect(differences).toEqual([]);
    // The comparison compares something.
    expect(seen.refused).toBeLessThan(0.5 * seen.questions);
    expect(seen.moved).toBeGreaterThan(0);
  });
});

/** The plans of a question; none where it is refused, as some of the drawn are. */
async function plansOf(text: string, policy: Policy): Promise<readonly Plan[]> {
  try {
    return await plannedStages(text, policy);
  } catch (error) {
    if (error instanceof LetheError && error.code.startsWith("query.")) return [];
    throw error;
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a, asTexts) === JSON.stringify(b, asTexts);

const asTexts = (_: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}n` : value);

/** The plan as if no unit moved anything: refuted wherever one does. */
function unmoved(plan: Plan): Plan {
  const still = { l1: "0", l2Squared: "0" };
  return {
    ...plan,
    measurements: plan.measurements.map((each) => ({ ...each, ...still })),
    ...(plan.trees ? { trees: plan.trees.map((each) => ({ ...each, ...still })) } : {}),
  };
}
