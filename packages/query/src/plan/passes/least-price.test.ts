import { lossFromJson, parseRational, price } from "@lethe/core";
import { lossFits, rhoFromEpsilon } from "@lethe/core/accounting";
import { compare } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/parse-question.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import type { Policy } from "../../policy/policy.ts";
import { policyHash } from "../../policy/policy-hash.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { planAsked } from "../error-target/plan-asked.ts";
import type { PlanOptions } from "../merge-options.ts";
import type { Plan } from "../plan.ts";
import { planWorkload } from "../question/plan-workload.ts";

const budgets = {
  pure: "{ measure: pure, epsilon: 10 }",
  approximate: "{ measure: approximate, epsilon: 10, delta: 1e-6 }",
  zcdp: "{ measure: zcdp, epsilon: 10, delta: 1e-6 }",
} as const;

function policyOf(budget: keyof typeof budgets, least: string, adjacency = "add-or-remove-one"): Policy {
  return readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: ${budgets[budget]}
${least}
tables: { people: { file: people.parquet, unit: row, columns: { age: { type: integer, bounds: [0, 100] } } } }
`);
}

async function planned(text: string, policy: Policy, options: PlanOptions): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  return planAsked(question, policy, options, policyHash(policy)).plan;
}

const stated = (epsilon: string): PlanOptions => ({ epsilon: parseRational(epsilon) });
const count = "SELECT COUNT(*) FROM people";
const least = "least_epsilon: 0.1";

describe("the least price of a policy", () => {
  it.each(Object.keys(budgets) as (keyof typeof budgets)[])(
    "refuses a lower ε, and names the least: %s",
    async (budget) => {
      const policy = policyOf(budget, least);
      await expect(planned(count, policy, stated("0.09"))).rejects.toMatchObject({
        code: "query.option",
        fix: "state epsilon = 1/10, which gives less noise",
      });
      const plan = await planned(count, policy, stated("0.1"));
      expect(plan.leastEpsilon).toBe("1/10");
    },
  );

  it("raises what costs less: a count that nobody can change is paid for all the same", async () => {
    const free = await planned(count, policyOf("pure", "", "replace-one"), stated("1"));
    expect(free.price).toEqual({ measure: "pure", epsilon: "0" });
    const plan = await planned(count, policyOf("pure", least, "replace-one"), stated("1"));
    expect(plan.price).toEqual({ measure: "pure", epsilon: "1/10" });
    expect(plan.event).toEqual(free.event);
  });

  it.each(Object.keys(budgets) as (keyof typeof budgets)[])(
    "is never more than was stated, covers what is run, and is no less than the least: %s",
    async (budget) => {
      const policy = policyOf(budget, least);
      for (const epsilon of ["0.1", "0.1000001", "0.37", "2"])
        for (const text of [count, "SELECT AVG(age), COUNT(*) FROM people WHERE age > 9"]) {
          const plan = await planned(text, policy, stated(epsilon));
          const paid = lossFromJson(plan.price);
          const target =
            paid.measure === "approximate"
              ? ({ measure: "approximate", delta: paid.delta } as const)
              : ({ measure: paid.measure } as const);
          expect(lossFits(price(plan.event, target), paid)).toBe(true);
          const main = paid.measure === "zcdp" ? paid.rho : paid.epsilon;
          const due = (written: string) =>
            paid.measure === "zcdp"
              ? rhoFromEpsilon(parseRational(written), parseRational("1e-6"))
              : parseRational(written);
          expect(compare(main, due("0.1"))).toBeGreaterThanOrEqual(0);
          expect(compare(main, due(epsilon))).toBeLessThanOrEqual(0);
        }
    },
  );

  it("refuses a target, an advantage and a pilot that would cost less", async () => {
    const policy = policyOf("pure", least);
    const options: readonly PlanOptions[] = [
      { targetError: parseRational("1000") },
      { advantage: parseRational("0.001") },
    ];
    for (const each of options)
      await expect(planned(count, policy, each)).rejects.toMatchObject({
        code: "query.option",
        message: expect.stringContaining("the policy sells none below 1/10"),
      });
    expect((await planned(count, policy, { targetError: parseRational("3") })).price.measure).toBe("pure");
  });

  it("holds for a workload as a whole", async () => {
    const policy = policyOf("pure", least, "replace-one");
    const questions = [resolveQuestion(await parseQuestion(count), policy)];
    const plan = planWorkload(questions, policy, stated("1"), policyHash(policy));
    expect(plan.price).toEqual({ measure: "pure", epsilon: "1/10" });
    expect(() => planWorkload(questions, policy, stated("0.01"), policyHash(policy))).toThrow(
      expect.objectContaining({ code: "query.option" }),
    );
  });

  it("is no part of the policy's hash, and leaves no trace where none is stated", async () => {
    const [without, stating] = [policyOf("pure", ""), policyOf("pure", `${least}\nrelease_schedule: 2s`)];
    expect(policyHash(stating)).toBe(policyHash(without));
    expect([stating.leastEpsilon, stating.releaseSchedule]).toEqual([parseRational("0.1"), 2000]);
    expect("leastEpsilon" in (await planned(count, without, stated("0.01")))).toBe(false);
  });

  it.each([
    "least_epsilon: 0",
    "least_epsilon: -1",
    "least_epsilon: x",
    "release_schedule: 0s",
    "release_schedule: 601s",
    "release_schedule: 1m",
    "release_schedule: 2",
  ])("is not stated as %s", (line) => {
    expect(() => policyOf("pure", line)).toThrow(expect.objectContaining({ code: "policy.invalid" }));
  });
});
