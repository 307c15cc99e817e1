import { parseRational, price, type Rational, ratio, toDouble } from "@lethe/core";
import { choiceCost, measurementCost, tableSensitivity } from "@lethe/core/mechanisms";
import { add, compare, elementAt, multiply, sum, zero } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import type { Attribute, Domain } from "../domain/index.ts";
import { modelBytes } from "../graph/index.ts";
import { expectedSeconds } from "./expected-seconds.ts";
import { epsilonWithin, sessionTotal, sigmaWithin } from "./shares.ts";
import {
  lastRound,
  planSynthesis,
  type Stage,
  type SynthesisPlan,
  type SynthesisRequest,
} from "./synthesis-plan.ts";

const sized = (sizes: readonly number[]): Domain =>
  sizes.map(
    (size, at): Attribute => ({
      ...{ kind: "categories", name: `c${at}`, nullable: false },
      categories: Array.from({ length: size }, (_, value) => value),
    }),
  );
const epsilon = parseRational("1");
const delta = parseRational("1e-9");
const approximate = { measure: "approximate", epsilon, delta } as const;
const request = (over: Partial<SynthesisRequest> = {}): SynthesisRequest => ({
  ...{ method: "mst", domain: sized([2, 3, 4]), adjacency: "add-or-remove-one", budget: approximate },
  ...over,
});
const methods = ["mst", "aim", "residuals"] as const;

/** What the stages cost at most, as they run. */
function costOf({ stages, session }: SynthesisPlan): Rational {
  const sensitivity = tableSensitivity(session.adjacency, session.rowsPerUnit);
  const tables = (stage: { readonly sigma: string; readonly tables: number }): Rational =>
    multiply(ratio(BigInt(stage.tables)), measurementCost(parseRational(stage.sigma), sensitivity));
  const choices = (stage: { readonly epsilon: string }, count: number): Rational =>
    multiply(ratio(BigInt(count)), choiceCost[session.measure](parseRational(stage.epsilon)));
  const cost: { readonly [K in Stage["kind"]]: (stage: Extract<Stage, { kind: K }>) => Rational } = {
    "measure-each": tables,
    "measure-chosen": tables,
    "measure-pairs": tables,
    "choose-tree": (stage) => choices(stage, stage.choices),
    "adaptive-rounds": (stage) =>
      add(tables({ ...stage, tables: stage.rounds }), choices(stage, stage.rounds)),
  };
  return sum(stages.map((stage) => (cost[stage.kind] as (each: Stage) => Rational)(stage)));
}

describe("a plan", () => {
  it.each(methods)("of %s costs at most its event, whose price is the budget and no more", (method) => {
    for (const adjacency of ["add-or-remove-one", "replace-one"] as const) {
      for (const rowsPerUnit of [1, 3]) {
        for (const sizes of [[2, 3, 4], [5, 1], [7]]) {
          const plan = planSynthesis(request({ method, adjacency, rowsPerUnit, domain: sized(sizes) }));
          const total = parseRational(plan.session.total);
          const cost = costOf(plan);
          expect(compare(cost, total)).toBeLessThanOrEqual(0);
          // Nothing is left lying about.
          expect(toDouble(cost, "down") / toDouble(total, "up")).toBeGreaterThan(1 - 1e-6);
          const loss = price(plan.event, approximate);
          if (loss.measure !== "approximate") throw new TypeError(loss.measure);
          expect(compare(loss.epsilon, epsilon)).toBeLessThanOrEqual(0);
          expect(toDouble(loss.epsilon, "down")).toBeGreaterThan(1 - 1e-6);
          expect(loss.delta).toEqual(delta);
        }
      }
    }
  });

  it.each(methods)("of %s under zCDP costs exactly its ρ", (method) => {
    const rho = ratio(1n, 50n);
    const plan = planSynthesis(request({ method, budget: { measure: "zcdp", rho } }));
    expect(price(plan.event, { measure: "zcdp" })).toEqual({ measure: "zcdp", rho, delta: zero });
    expect(compare(costOf(plan), multiply(rho, ratio(2n)))).toBeLessThanOrEqual(0);
  });

  it("is plain data, and does not know the rows", () => {
    for (const method of methods) {
      const plan = planSynthesis(request({ method }));
      expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
    }
    expect(planSynthesis(request()).stages.map(({ kind }) => kind)).toEqual([
      "measure-each",
      "choose-tree",
      "measure-chosen",
    ]);
  });

  it("adds noise with the rows of a unit, and by √2 more where a unit is replaced", () => {
    const sigma = (over: Partial<SynthesisRequest>): number => {
      const stage = elementAt(planSynthesis(request(over)).stages, 0);
      return stage.kind === "measure-each" ? toDouble(parseRational(stage.sigma), "up") : Number.NaN;
    };
    expect(sigma({ rowsPerUnit: 3 }) / sigma({})).toBeCloseTo(3, 9);
    expect(sigma({ adjacency: "replace-one" }) / sigma({})).toBeCloseTo(Math.SQRT2, 9);
  });

  it("is refused where its model may pass the cap, or what it is asked for has no meaning", () => {
    const invalid = expect.objectContaining({ code: "parameter.invalid" });
    const unfit = expect.objectContaining({ code: "model.invalid" });
    // Star at the largest: 4·3 + 4·2 cells.
    const star = modelBytes(
      [2, 3, 4],
      [
        [0, 2],
        [1, 2],
      ],
    );
    expect(() => planSynthesis(request({ modelBytes: star }))).not.toThrow();
    expect(() => planSynthesis(request({ modelBytes: star - 1 }))).toThrow(unfit);
    expect(() => planSynthesis(request({ method: "aim", modelBytes: 8 * 9 }))).not.toThrow();
    expect(() => planSynthesis(request({ method: "aim", modelBytes: 8 * 9 - 1 }))).toThrow(unfit);
    expect(() => planSynthesis(request({ method: "residuals", modelBytes: 8 * 26 - 1 }))).toThrow(unfit);
    for (const wrong of [
      { method: "gan" as never },
      { modelBytes: Number.NaN },
      { modelBytes: 0 },
      { rowsPerUnit: 0 },
      { domain: [] },
      { budget: { measure: "pure", epsilon } as never },
      { budget: { measure: "zcdp", rho: zero } as const },
      { budget: { ...approximate, delta: zero } },
      { budget: { measure: "zcdp", rho: parseRational("1e-24") } as const },
      { adjacency: "other" as never },
    ]) {
      expect(() => planSynthesis(request(wrong)), JSON.stringify(Object.keys(wrong))).toThrow(invalid);
    }
  });
});

describe("the seconds of a plan", () => {
  it("follow from the plan alone, and grow with columns and with AIM's cap", () => {
    const seconds = (over: Partial<SynthesisRequest>): number =>
      expectedSeconds(planSynthesis(request(over)));
    for (const method of methods) {
      const [few, many] = [sized([9, 9, 9]), sized([9, 9, 9, 9, 9, 9])];
      expect(seconds({ method, domain: few })).toBeGreaterThan(0);
      expect(seconds({ method, domain: many })).toBeGreaterThan(seconds({ method, domain: few }));
      expect(seconds({ method, domain: sized([4]) })).toBeLessThan(1);
    }
    expect(seconds({ method: "aim", modelBytes: 4e6 })).toBeGreaterThan(
      2 * seconds({ method: "aim", modelBytes: 1e6 }),
    );
  });
});

describe("shares", () => {
  it("buy noise and choices that stay within them, nearly to the last", () => {
    for (const measure of ["gaussian-dp", "zcdp"] as const) {
      for (const part of ["1e-12", "1/3", "2", "5e6"].map((text) => parseRational(text))) {
        const chosen = choiceCost[measure](epsilonWithin(part, measure));
        const noise = measurementCost(sigmaWithin(part, 18n), { l2Squared: 18n });
        for (const cost of [chosen, noise]) {
          expect(compare(cost, part)).toBeLessThanOrEqual(0);
          expect(toDouble(cost, "down") / toDouble(part, "up")).toBeGreaterThan(1 - 1e-7);
        }
        const { sigma, epsilon: last } = lastRound(part, { measure, l2Squared: 2n });
        const both = add(choiceCost[measure](last), measurementCost(sigma, { l2Squared: 2n }));
        expect(compare(both, part)).toBeLessThanOrEqual(0);
      }
    }
    expect(sessionTotal({ measure: "zcdp", rho: ratio(1n, 4n) })).toEqual({
      measure: "zcdp",
      total: ratio(1n, 2n),
    });
  });
});
