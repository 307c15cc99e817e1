import { parseRational } from "@lethe/core";
import { keepProbability } from "@lethe/core/mechanisms";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../parse/index.ts";
import { type Plan, planQuestion } from "../plan/index.ts";
import { type Policy, readPolicy } from "../policy/index.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { explainPlan } from "./explain-plan.ts";
import { keyNotice } from "./key-chances.ts";
import { uninformative } from "./uninformative.ts";
import type { Warning } from "./warning.ts";

const policyOf = (expected: string): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-4 }
defaults: { delta: 1e-6 }
tables:
  people:
    file: people.parquet
    unit: row
    ${expected}
    columns:
      wage: { type: number, bounds: [0, 60], default: 0 }
      age: { type: integer, bounds: [0, 100] }
      sector: { type: text, categories: [a, b, c] }
      town: { type: text }
`);
const expecting = policyOf("expected_rows: 500");

async function planned(text: string, epsilon: string, policy = expecting): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  return planQuestion(question, policy, { epsilon: parseRational(epsilon) }, "hash");
}
const warned = async (text: string, epsilon: string, policy = expecting): Promise<readonly string[]> =>
  uninformative(await planned(text, epsilon, policy), policy, 0.95).map(({ message }) => message);

const nothing = [expect.stringContaining("every interval would be as wide")];
const hopeless = [expect.stringContaining("hardly any group of")];

/** Laplace noise of scale Δ/ε has half-width (Δ/ε)·ln 20, 2.9957 Δ/ε: a count's meets 500 rows at ε 0.00599. */
describe("an answer that says next to nothing", () => {
  it.each([
    ["SELECT COUNT(*) FROM people", "0.0059", nothing],
    ["SELECT COUNT(*) FROM people", "0.0061", []],
    ["SELECT SUM(wage) FROM people", "0.0059", nothing],
    ["SELECT SUM(wage) FROM people", "0.0061", []],
    ["SELECT SUM(wage - 60) FROM people", "0.0059", nothing],
    ["SELECT AVG(wage) FROM people", "0.001", nothing],
    ["SELECT AVG(wage) FROM people", "0.5", []],
    ["SELECT STDDEV(wage), VARIANCE(wage) FROM people", "0.001", nothing],
    ["SELECT STDDEV(wage), VARIANCE(wage) FROM people", "5", []],
    ["SELECT MEDIAN(wage) FROM people", "0.001", nothing],
    ["SELECT MEDIAN(wage) FROM people", "5", []],
    ["SELECT sector, COUNT(*) FROM people GROUP BY sector", "0.0059", nothing],
    // One answer that says something is enough.
    ["SELECT COUNT(*), AVG(wage) FROM people", "0.03", []],
    ["SELECT SUM(wage) / COUNT(*) AS mean FROM people", "0.0001", nothing],
  ])("%s at ε %s", async (text, epsilon, says) => {
    expect(await warned(text, epsilon)).toEqual(says);
    // What the policy expects is all that it is judged by.
    expect(await warned(text, epsilon, policyOf(""))).toEqual([]);
  });

  it("is told by explain, with what would help", async () => {
    const { warnings } = explainPlan(await planned("SELECT COUNT(*) FROM people", "0.001"), expecting);
    expect(warnings).toMatchObject([{ fix: expect.stringContaining("more epsilon") }]);
    const { warnings: none } = explainPlan(await planned("SELECT COUNT(*) FROM people", "1"), expecting);
    expect(none).toEqual([]);
  });
});

describe("keys that are data", () => {
  const byAge = "SELECT age, COUNT(*) FROM people GROUP BY age";

  it("are hopeless where four even shares of the expected rows are hardly ever released", async () => {
    expect(await warned(byAge, "0.5")).toEqual(hopeless);
    expect(await warned(byAge, "5")).toEqual([]);
    expect(await warned("SELECT town, COUNT(*) FROM people GROUP BY town", "0.5")).toEqual([]);
    expect(await warned("SELECT town, COUNT(*) FROM people GROUP BY town", "0.02")).toContainEqual(
      hopeless[0],
    );
    expect(await warned("SELECT age, sector, COUNT(*) FROM people GROUP BY 1, 2", "2")).toEqual(hopeless);
    expect(await warned(byAge, "0.5", policyOf("expected_rows: 1000000"))).toEqual([]);
    expect(await warned(byAge, "0.5", policyOf(""))).toEqual([]);
  });

  it("lead to public keys that are accepted and not hopeless", async () => {
    const [{ fix }] = uninformative(await planned(byAge, "0.5"), expecting, 0.95) as readonly [Warning];
    const [, key] = /group by (WIDTH_BUCKET\(.*?\)), whose/.exec(fix)!;
    const instead = `SELECT ${key}, COUNT(*) FROM people GROUP BY 1`;
    const plan = await planned(instead, "0.5");
    expect(plan.keys.program.kind).toBe("public");
    expect(await warned(instead, "0.5")).toEqual([]);
    const [ofTown] = uninformative(
      await planned("SELECT town, COUNT(*) FROM people GROUP BY town", "0.02"),
      expecting,
      0.95,
    );
    expect(ofTown!.fix).toContain("categories of town");
  });

  it("come with the sizes at which a group is released, which the rule itself gives", async () => {
    const plan = await planned("SELECT age, sector, town, COUNT(*) FROM people GROUP BY 1, 2, 3", "0.5");
    const { program } = plan.keys as { program: Extract<Plan["keys"]["program"], { kind: "private" }> };
    const words = keyNotice(plan)!;
    expect(words).toContain("age and town");
    const [half, most] = [...words.matchAll(/(\d+) units/g)].map(([, units]) => BigInt(units!));
    for (const [units, chance] of [
      [half!, 0.5],
      [most!, 0.95],
    ] as const) {
      expect(keepProbability(program.rule, units)).toBeGreaterThanOrEqual(chance);
      expect(keepProbability(program.rule, units - 1n)).toBeLessThan(chance);
    }
    expect(keyNotice(await planned("SELECT sector, COUNT(*) FROM people GROUP BY 1", "0.5"))).toBeNull();
  });

  it("count the size that has its chance exactly", async () => {
    const plan = await planned("SELECT town, COUNT(*) FROM people GROUP BY town", "0.5");
    const { keys } = plan;
    if (keys.program.kind !== "private") throw new Error("the keys are public");
    const rule = { rule: "truncated-geometric", epsilon: "1", delta: "1/2", minUnits: "3" } as const;
    expect(keepProbability(rule, 3n)).toBe(0.5);
    const exact: Plan = { ...plan, keys: { ...keys, program: { ...keys.program, rule } } };
    expect(keyNotice(exact)).toContain("a group of 3 units one time in two");
  });
});
