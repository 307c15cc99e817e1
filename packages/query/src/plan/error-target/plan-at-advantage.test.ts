import { parseRational, type Rational, toDouble } from "@lethe/core";
import { odds } from "@lethe/core/accounting";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { policyHash, readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import type { PlanOptions } from "../merge-options.ts";
import { planQuestion } from "../question/plan-question.ts";
import { type AskedPlan, planAsked } from "./plan-asked.ts";

const policyText = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 50, delta: 1e-4 }
defaults: { epsilon: 0.5 }
tables:
  people:
    file: people.parquet
    unit: row
    columns:
      wage: { type: number, bounds: [0, 60], default: 0 }
      town: { type: text }
`;
const policy = readPolicy(policyText);
const gaussianTenth: PlanOptions = { mechanism: "gaussian", advantage: parseRational("0.1") };

async function asked(text: string, stated: PlanOptions = {}): Promise<AskedPlan> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  return planAsked(question, policy, stated, policyHash(policy));
}

const count = "SELECT COUNT(*) FROM people";

describe("an advantage instead of a price", () => {
  it("gives a Gaussian the noise that is known for it, and not that of its ε", async () => {
    const { plan, advantage } = await asked(count, gaussianTenth);
    const [measured] = plan.measurements;
    // 2Φ(1/2σ) − 1 = 0.1 at σ 3.979; noise whose ε alone shows an advantage of 0.1 has σ 18.9.
    const { noise } = measured!;
    const sigma = "sigma" in noise ? toDouble(parseRational(noise.sigma), "up") : Number.NaN;
    expect(sigma).toBeGreaterThan(3.97);
    expect(sigma).toBeLessThan(4.06);
    expect(advantage!.reached).toBe(odds(plan.event).advantage);
    expect(advantage!.stated).toBe("1/10");
  });

  it("is kept, and by no greater ε of four digits", async () => {
    for (const written of ["0.02", "0.1", "0.5", "0.99"]) {
      for (const mechanism of ["laplace", "gaussian"] as const) {
        const stated = { mechanism, advantage: parseRational(written) };
        const { plan, advantage } = await asked("SELECT SUM(wage), COUNT(*) FROM people", stated);
        expect(advantage!.reached).toBeLessThanOrEqual(Number(written));
        expect(odds(plan.event).advantage).toBeLessThanOrEqual(Number(written));
        const question = resolveQuestion(
          await parseQuestion("SELECT SUM(wage), COUNT(*) FROM people"),
          policy,
        );
        const next = planQuestion(question, policy, { mechanism, epsilon: nextOf(advantage!.epsilon) }, "");
        expect(odds(next.event).advantage).toBeGreaterThan(Number(written));
      }
    }
  });

  it("may stand in the text, and takes the place of the policy's price", async () => {
    const text =
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(advantage = 0.1, mechanism = gaussian) COUNT(*) FROM people";
    const { plan } = await asked(text);
    const beside = await asked(count, gaussianTenth);
    expect(plan.price).toEqual(beside.plan.price);
    expect(plan.event).toEqual(beside.plan.event);
    await expect(asked(text, { advantage: parseRational("0.2") })).rejects.toMatchObject({
      code: "query.option",
    });
  });

  it("is that of all questions of a text together", async () => {
    const several =
      "SELECT (SELECT COUNT(*) FROM people WHERE wage > 9) - (SELECT COUNT(*) FROM people) AS n";
    const { plan } = await asked(several, { advantage: parseRational("0.1") });
    const reached = odds(plan.event).advantage;
    expect(reached).toBeGreaterThan(0.098);
    expect(reached).toBeLessThanOrEqual(0.1);
  });

  it.each<[string, PlanOptions]>([
    ["an ε", { epsilon: parseRational("1") }],
    ["a target error", { targetError: parseRational("5") }],
    ["a part of a target", { targetRows: 5 }],
    [
      "a pilot",
      {
        targetErrorRelative: parseRational("0.1"),
        pilotEpsilon: parseRational("1"),
        maxEpsilon: parseRational("2"),
      },
    ],
  ])("does not stand beside %s", async (_, more) => {
    await expect(asked(count, { ...gaussianTenth, ...more })).rejects.toMatchObject({
      code: "query.option",
      message: expect.stringContaining("advantage"),
    });
  });

  it("is no price of what is public", async () => {
    const replacing = readPolicy(policyText.replace("add-or-remove-one", "replace-one"));
    const question = resolveQuestion(await parseQuestion(count), replacing);
    const { plan, advantage } = planAsked(question, replacing, gaussianTenth, policyHash(replacing));
    expect(plan.price).toEqual({ measure: "approximate", epsilon: "0", delta: "0" });
    expect(advantage).toEqual({ stated: "1/10", reached: 0, epsilon: "1/1000000" });
  });

  it("is out of reach where δ alone gives more", async () => {
    const stated = { delta: parseRational("0.2"), advantage: parseRational("0.1") };
    await expect(asked("SELECT town, COUNT(*) FROM people GROUP BY town", stated)).rejects.toMatchObject({
      code: "query.option",
      message: expect.stringMatching(
        /^no epsilon keeps the advantage of a test of membership to 0\.1: delta alone gives 0\.\d/,
      ),
    });
  });
});

/** The next ε of four digits. */
function nextOf(text: string): Rational {
  const { num, den } = parseRational(text);
  const x = Number(num) / Number(den);
  return parseRational((x + 10 ** (Math.floor(Math.log10(x)) - 3)).toPrecision(4));
}
