import { replayPlan } from "@lethe/audit";
import { LetheError } from "@lethe/core";
import type { Plan, Policy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { plannedStages } from "../planned.ts";
import { type RawTables, referenceCells, referenceGroups } from "../reference-evaluator.ts";
import { refutedClaims, refutedTrees } from "../refuted-claims.ts";
import { report } from "../replay/report.ts";
import { openPolicyCases, policyNeighbours } from "./policy-cases.ts";

/*
 * Pairs of policies of several tables and neighbours that differ in one unit, which may live in any of the private tables: no exact
 * measurement moves farther than the plan derived, as our reference evaluates it, and of some pairs as DuckDB does.
 * `npm run bench -- replay` takes 20,000 pairs.
 */

const pairs = Number(process.env.POLICY_PAIRS ?? 200);
const firstSeed = Number(process.env.POLICY_PAIRS_SEED ?? 1);
const onEngine = Number(process.env.POLICY_PAIRS_ON_ENGINE ?? 20);
const seed = "a secret seed";

/** The plans of a question; none where it is refused, as some of the drawn are. */
async function plansOf(text: string, policy: Policy): Promise<readonly Plan[]> {
  try {
    return await plannedStages(text, policy);
  } catch (error) {
    if (error instanceof LetheError && error.code.startsWith("query.")) return [];
    throw error;
  }
}

/** Returns the claims of a plan that two sides refute, by the reference. */
function refuted(plan: Plan, [first, second]: readonly RawTables[]): string[] {
  const [a, b] = [first!, second!].map((side) => referenceGroups(plan, side, seed));
  const [cells, otherCells] = [first!, second!].map((side) => referenceCells(plan, side, seed));
  return [...refutedClaims(plan, a!, b!), ...refutedTrees(plan, cells!, otherCells!)];
}

/** Returns the policy as it looks when one private table is taken for the only one. */
function alone(policy: Policy, plan: Plan): Policy | null {
  const { from } = plan;
  if (from.kind !== "table" || from.source !== null) return null;
  if (from.unit.kind === "column" && (from.unit.path.length > 0 || from.unit.names.table !== from.table))
    return null;
  const tables = Object.entries(policy.tables).filter(
    ([name, { unit }]) => name === from.table || unit.kind === "public",
  );
  return { ...policy, tables: Object.fromEntries(tables), views: {} };
}

describe("policies of several tables", () => {
  it("no measurement moves farther than derived, wherever the changed unit lives", async () => {
    const seen = {
      questions: 0,
      refused: 0,
      moved: 0,
      several: 0,
      together: 0,
      aloneRefuted: 0,
      kinds: new Set<string>(),
    };
    const findings: string[] = [];
    for (let at = firstSeed; at < firstSeed + pairs; at += 1) {
      const { policy, questions, sides } = policyNeighbours(at, 1);
      const units = Object.values(policy.tables).map(({ unit }) => unit.kind);
      seen.kinds.add(units.join(" "));
      if (units.filter((kind) => kind !== "public").length > 1) seen.several += 1;
      for (const text of questions) {
        const plans = await plansOf(text, policy);
        seen.questions += 1;
        if (plans.length === 0) seen.refused += 1;
        for (const plan of plans) {
          findings.push(...refuted(plan, sides).map((what) => `policy ${at}: ${text}: ${what}`));
          if (refuted(unmoved(plan), sides).length > 0) seen.moved += 1;
          if (plan.joint) seen.together += 1;
          const lone = alone(policy, plan);
          const wrong = lone === null ? [] : await plansOf(text, lone);
          if (wrong.some((each) => refuted(each, sides).length > 0)) seen.aloneRefuted += 1;
        }
      }
    }
    report("pairs", { pairs, findings: findings.length, ...seen, kinds: seen.kinds.size });
    expect(findings).toEqual([]);
    // The comparison compares something, and sees a planner that looks at one table alone.
    expect(seen.refused).toBeLessThan(0.2 * seen.questions);
    expect(seen.moved).toBeGreaterThan(0.5 * pairs);
    expect(seen.several).toBeGreaterThan(0.5 * pairs);
    expect(seen.aloneRefuted).toBeGreaterThan(pairs / 100);
    expect(seen.together).toBeGreaterThan(pairs / 20);
    expect(seen.kinds.size).toBeGreaterThan(20);
  });

  it("nor does DuckDB move any farther", async () => {
    const findings: string[] = [];
    let plans = 0;
    for (let at = 0; at < onEngine; at += 20) {
      const seeds = Array.from({ length: Math.min(20, onEngine - at) }, (_, n) => firstSeed + at + n);
      const opened = await openPolicyCases(seeds, 1);
      try {
        for (const [n, { policy, engine, name }] of opened.cases.entries())
          for (const [script, text] of policyNeighbours(seeds[n]!, 1).questions.entries())
            for (const plan of await plansOf(text, policy)) {
              const sides = [0, 1].map((side) => ({ engine: engine(side, script) }));
              findings.push(...(await replayPlan(plan, sides)).map((what) => `${name}: ${text}: ${what}`));
              plans += 1;
            }
      } finally {
        await opened.close();
      }
    }
    report("pairs on DuckDB", { pairs: onEngine, plans, findings: findings.length });
    expect(findings).toEqual([]);
    expect(plans).toBeGreaterThan(onEngine / 2);
  });
});

/** The plan as if no unit moved anything: refuted wherever one does. */
function unmoved(plan: Plan): Plan {
  const still = { l1: "0", l2Squared: "0" };
  return {
    ...plan,
    measurements: plan.measurements.map((each) => ({ ...each, ...still })),
    ...(plan.trees ? { trees: plan.trees.map((each) => ({ ...each, ...still })) } : {}),
  };
}
