import { parseRational, price, type Rational, ratio, toDouble } from "@lethe/core";
import { choiceCost, measurementCost, tableSensitivity } from "@lethe/core/mechanisms";
import { add, compare, elementAt, multiply, sum, zero } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import type { Attribute, Domain } from "../domain/index.ts";
import { modelBytes } from "../graph/index.ts";
import {
  roundWithin,
  type Stage,
  type SynthesisPlan,
  type SynthesisRequest,
  sessionTotal,
} from "../plan/index.ts";
import { epsilonWithin, sigmaWithin } from "../plan/shares.ts";
import { planSynthesis } from "./plan-synthesis.ts";
import { sampleWork, synthesisWork } from "./synthesis-work.ts";

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
const methods = ["mst", "aim", "residuals", "aim-grem"] as const;

/** What the stages cost at most, as they run. */
function costOf({ stages, session }: SynthesisPlan): Rational {
  const sensitivity = tableSensitivity(session.adjacency, session.rowsPerUnit);
  const tables = (stage: { readonly sigma: string; readonly tables: number }): Rational =>
    multiply(ratio(BigInt(stage.tables)), measurementCost(parseRational(stage.sigma), sensitivity));
  const choices = (stage: { readonly epsilon: string }, count: number): Rational =>
    multiply(ratio(BigInt(count)), choiceCost[session.measure](parseRational(stage.epsilon)));
  const cost: { readonly [K in Stage["kind"]]: (stage: Extract<Stage, { kind: K }>) => Rational } = {
    "measure-each": tables,
    "measure-target": tables,
    "measure-chosen": tables,
    "measure-pairs": tables,
    "choose-tree": (stage) => choices(stage, stage.choices),
    "residual-rounds": (stage) =>
      add(tables({ ...stage, tables: stage.rounds }), choices(stage, stage.rounds)),
    "adaptive-rounds": (stage) =>
      add(tables({ ...stage, tables: stage.rounds }), choices(stage, stage.rounds)),
  };
  return sum(stages.map((stage) => (cost[stage.kind] as (each: Stage) => Rational)(stage)));
}

describe("a plan", () => {
  it.each(methods)("of %s costs at most its event, whose price is the budget and no more", (method) => {
    for (const adjacency of ["add-or-remove-one", "replace-one"] as const) {
      for (const rowsPerUnit of [1, 3]) {
        for (const [sizes, target] of [
          [[2, 3, 4], null],
          [[5, 1], null],
          [[7], null],
          [[2, 3, 4], "c1"],
          [[5, 1], "c0"],
        ] as const) {
          const plan = planSynthesis({
            ...request({ method, adjacency, rowsPerUnit, domain: sized(sizes) }),
            ...(target === null ? {} : { target }),
          });
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
    const kinds = (over: Partial<SynthesisRequest>) =>
      planSynthesis(request(over)).stages.map(({ kind }) => kind);
    const tree = ["choose-tree", "measure-chosen"];
    expect(kinds({})).toEqual(["measure-each", ...tree]);
    expect(kinds({ target: "c2" })).toEqual(["measure-each", "measure-target", ...tree]);
    expect(kinds({ target: "c1", domain: sized([2, 3]) })).toEqual(["measure-each", "measure-target"]);
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
    expect(() => planSynthesis(request({ method: "aim-grem", modelBytes: 8 * 26 }))).not.toThrow();
    expect(() => planSynthesis(request({ method: "aim-grem", modelBytes: 8 * 26 - 1 }))).toThrow(unfit);
    // Of the other two, 2·4 cells, each with the target's 3.
    expect(() => planSynthesis(request({ target: "c1", modelBytes: 8 * 24 }))).not.toThrow();
    expect(() => planSynthesis(request({ target: "c1", modelBytes: 8 * 24 - 1 }))).toThrow(unfit);
    for (const wrong of [
      { method: "gan" as never },
      { modelBytes: Number.NaN },
      { modelBytes: 0 },
      { rowsPerUnit: 0 },
      { domain: [] },
      { target: "c3" },
      { target: "c0", domain: sized([4]) },
      { budget: { measure: "pure", epsilon } as never },
      { budget: { measure: "zcdp", rho: zero } as const },
      { budget: { ...approximate, delta: zero } },
      { budget: { measure: "zcdp", rho: parseRational("1e-24") } as const },
      { adjacency: "other" as never },
      // Contrasts of such noise would be no doubles.
      {
        ...({ method: "aim-grem", domain: sized([400, 400]) } as const),
        budget: { measure: "zcdp", rho: parseRational("1e-19") },
      } as const,
    ]) {
      expect(() => planSynthesis(request(wrong)), JSON.stringify(Object.keys(wrong))).toThrow(invalid);
    }
  });
});

describe("the work of a plan", () => {
  const work = (over: Partial<SynthesisRequest>, rows = 0) =>
    synthesisWork(planSynthesis(request(over)), rows);

  it.each(methods)(
    "of %s follows from the plan alone, is bounded, and grows with columns and rows",
    (method) => {
      const [few, many] = [sized([9, 9, 9]), sized([9, 9, 9, 9, 9, 9])];
      for (const target of [{}, { target: "c1" }]) {
        const { expected, most } = work({ method, domain: few, ...target });
        expect(expected).toBeGreaterThan(0);
        expect(most).toBeGreaterThanOrEqual(expected);
        expect(work({ method, domain: many, ...target }).expected).toBeGreaterThan(expected);
        expect(work({ method, domain: few, ...target }, 1e6).expected).toBeGreaterThan(1e6);
      }
      expect(work({ method, domain: sized([4]) }).most).toBeLessThan(1e5);
    },
  );

  it("grows with AIM's cap, up to a model of everything", () => {
    const aim = (modelBytes: number, domain = sized([9, 9, 9, 9, 9, 9])): number =>
      work({ method: "aim", modelBytes, domain }).most;
    expect(aim(4e6)).toBeGreaterThan(2 * aim(1e6));
    expect(aim(4e6, sized([9, 9]))).toBe(aim(1e6, sized([9, 9])));
  });

  it("is counted in what a sample of it does", () => {
    expect(sampleWork()).toBe(150 * 3 * 256);
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
        const { sigma, epsilon: last } = roundWithin(part, ratio(1n, 10n), { measure, l2Squared: 2n });
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
