import { account, eventFromJson } from "@lethe/core";
import { parseRational, toDouble } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { privatePlan } from "./make-plan.ts";
import { chargedEvent, chargedLoss, planPrice } from "./plan-price.ts";
import type { PlanRequest } from "./plan-request.ts";
import { planHash, readPlan } from "./read-plan.ts";

const base: PlanRequest = {
  model: { name: "mnist-cnn", parameters: 26_010 },
  loss: "cross-entropy",
  adjacency: "add-or-remove-one",
  units: 60_000,
  sampler: "poisson",
  rate: "1/250",
  clip: 1.5,
  noise: 1.3,
  delta: 1e-5,
  steps: 3750,
};

describe("the published settings, batch 240 of 60,000 at δ 1e-5", () => {
  it.each([
    [1.3, 15, 0.834, "1.50"],
    [1.1, 60, 2.296, "4.07"],
    [0.7, 45, 5.432, "7.75"],
  ])(
    "σ %d over %i epochs: ε at most %d under add-or-remove-one and %s under replace-one",
    (noise, epochs, most, replaced) => {
      const steps = 250 * epochs;
      const plan = privatePlan({ ...base, noise, steps });
      expect(plan.divisor).toBe("240");
      const { epsilon } = planPrice(plan);
      expect(epsilon).toBeLessThanOrEqual(most);
      expect(epsilon).toBeGreaterThan(0.99 * most);
      const other = planPrice(privatePlan({ ...base, noise, steps, adjacency: "replace-one" }));
      expect(other.epsilon.toFixed(2)).toBe(replaced);
    },
  );
});

describe("a plan", () => {
  it("draws, measures, divides and charges by one description, on the integer grid", () => {
    const plan = privatePlan({ ...base, noise: "1.1", steps: 10 });
    expect(plan).toEqual({
      version: 1,
      model: { name: "mnist-cnn", parameters: 26_010 },
      loss: "cross-entropy",
      adjacency: "add-or-remove-one",
      units: 60_000,
      sampler: { kind: "poisson", rate: "1/250" },
      clip: { kind: "flat", norm: 1.5 },
      correlation: null,
      steps: 10,
      delta: "1/100000",
      noiseMultiplier: "11/10",
      shape: { parameters: 26_010, layers: 1, countWeight: 0 },
      sensitivity: { l1: plan.sensitivity.l1, l2Squared: `${2n ** 40n}` },
      noise: { mechanism: "rounded-gaussian@1", sigma: "5767168/5" },
      divisor: "240",
      event: {
        kind: "repeat",
        version: 1,
        count: "10",
        event: {
          kind: "poisson-sample",
          version: 1,
          rate: "1/250",
          event: { kind: "rounded-gaussian", version: 1, sigma: "5767168/5", l2Squared: `${2n ** 40n}` },
        },
      },
    });
  });
  it("is JSON, and is read back only where all that follows from its description does", () => {
    for (const request of [
      base,
      { ...base, sampler: "truncated-poisson", limit: 320 },
      { ...base, sampler: "balls-in-bins" },
      { ...base, sampler: "full", rate: 1, adjacency: "replace-one" },
      { ...base, clip: { adaptive: { start: 1 } } },
      { ...base, model: { ...base.model, layers: [26_000, 10] }, clip: { perLayer: [1, 2] } },
      { ...base, sampler: "cyclic", correlation: { kind: "banded", bands: 20 }, adjacency: "replace-one" },
      { ...base, sampler: "cyclic", correlation: { kind: "tree" } },
      { ...base, sampler: "cyclic", correlation: { kind: "blt", decays: [0.9, 0.5], outputs: [0.2, 0.2] } },
    ] as PlanRequest[]) {
      const plan = privatePlan(request);
      const stored = JSON.parse(JSON.stringify(plan));
      expect(readPlan(stored)).toEqual(plan);
      expect(planHash(readPlan(stored))).toBe(planHash(plan));
      expect(eventFromJson(stored.event)).toEqual(plan.event);
      for (const change of [
        { divisor: "241" },
        { noise: { mechanism: "rounded-gaussian@1", sigma: "1" } },
        { sensitivity: { l1: "1", l2Squared: "1" } },
        { event: { kind: "constant", version: 1 } },
        { steps: plan.steps + 250 },
        { version: 2 },
        { clip: { kind: "flat", norm: 0 } },
      ]) {
        expect(() => readPlan({ ...stored, ...change })).toThrow(/own description/);
      }
    }
    expect(() => readPlan(null)).toThrow(/own description/);
    expect(() => readPlan({})).toThrow(/own description/);
  });
});

describe("the price", () => {
  it("of cut batches is that of the public bound on units, and rises with it", () => {
    const at = (units: number): number =>
      planPrice(
        privatePlan({
          ...base,
          sampler: "truncated-poisson",
          rate: 256 / 60_000,
          limit: 320,
          units,
          noise: 1.1,
          steps: 3515,
        }),
      ).epsilon;
    expect(at(60_000)).toBeGreaterThan(1.1337);
    expect(at(60_000)).toBeLessThan(1.135);
    expect(at(62_000)).toBeGreaterThan(at(60_000));
  });
  it("of balls in bins is that of random allocation, not of Poisson samples", () => {
    const plan = privatePlan({ ...base, sampler: "balls-in-bins", rate: "1/50", noise: 0.8, steps: 100 });
    expect(plan.event).toMatchObject({
      kind: "repeat",
      count: "2",
      event: { kind: "random-allocation", steps: "50", selected: "1" },
    });
    const poisson = planPrice(privatePlan({ ...base, rate: "1/50", noise: 0.8, steps: 100 })).epsilon;
    expect(planPrice(plan).epsilon).not.toBeCloseTo(poisson, 2);
  });
  it("of full batches doubles the move of a replaced unit, and an exact account charges it", () => {
    const full = { ...base, sampler: "full", rate: 1, noise: 10, steps: 25 } as const;
    const { rate: _, ...whole } = full;
    const [came, replaced] = [privatePlan(whole), privatePlan({ ...whole, adjacency: "replace-one" })];
    expect(BigInt(replaced.sensitivity.l2Squared)).toBe(4n * BigInt(came.sensitivity.l2Squared));
    // The multiplier is of the sensitivity: the same price, twice the noise.
    expect(parseRational(replaced.noise.sigma).num).toBe(2n * parseRational(came.noise.sigma).num);
    for (const plan of [came, replaced]) {
      expect(chargedEvent(plan)).toEqual(plan.event);
      // 25 steps of σ 10 are one of σ 2.
      const one = account({ kind: "gaussian", version: 1, sigma: "2", sensitivity: "1" }).epsilon(1e-5).upper;
      expect(planPrice(plan).epsilon).toBeCloseTo(one, 3);
    }
  });
  it("is charged as one (ε, δ) where samples are priced by calculators, never less than told", () => {
    const plan = privatePlan({ ...base, steps: 100 });
    const charged = chargedEvent(plan);
    expect(charged).toMatchObject({ kind: "approximate", delta: "1/100000", of: "private-training" });
    const { epsilon } = charged as { epsilon: string };
    expect(toDouble(parseRational(epsilon), "down")).toBeGreaterThanOrEqual(planPrice(plan).epsilon);
    expect(chargedLoss(plan)).toMatchObject({ measure: "approximate" });
  });
  it("of an adaptive clip is that of its multiplier, the count within it", () => {
    const plain = planPrice(privatePlan({ ...base, steps: 50 })).epsilon;
    const plan = privatePlan({ ...base, steps: 50, clip: { adaptive: { start: 1, countNoise: 12 } } });
    expect(planPrice(plan).epsilon).toBeCloseTo(plain, 6);
    const weight = BigInt(plan.shape.countWeight);
    expect(BigInt(plan.sensitivity.l2Squared)).toBe(2n ** 40n + weight * weight);
    // The noise of the sums makes room for the count: 1/σ² + 1/12² = 1/1.3².
    const sigma = toDouble(parseRational(plan.noise.sigma), "up");
    expect(sigma / plan.shape.countWeight).toBeCloseTo(12, 3);
    expect((2 ** 20 / sigma) ** 2 + 1 / 144).toBeCloseTo(1 / 1.69, 5);
  });
  it("of layers is that of all of them together", () => {
    const plan = privatePlan({
      ...base,
      model: { name: "two", parameters: 10, layers: [4, 6] },
      clip: { perLayer: [0.5, 2] },
      steps: 50,
    });
    expect(plan.sensitivity.l2Squared).toBe(`${2n ** 41n}`);
    expect(planPrice(plan).epsilon).toBeCloseTo(planPrice(privatePlan({ ...base, steps: 50 })).epsilon, 6);
  });
  it("of correlated noise counts a unit's steps, once for the whole training", () => {
    const cyclic = { ...base, sampler: "cyclic", rate: "1/10", noise: 2 } as const;
    const plan = (steps: number, bands: number) =>
      privatePlan({ ...cyclic, steps, correlation: { kind: "banded", bands } });
    // Bands that fit between a unit's steps: k columns that share no row.
    const [one, three] = [plan(10, 5), plan(30, 5)];
    expect(BigInt(three.sensitivity.l2Squared)).toBeGreaterThan(2n * BigInt(one.sensitivity.l2Squared));
    for (const each of [one, three]) {
      expect(each.event.kind).toBe("rounded-gaussian");
      expect(planPrice(each).epsilon).toBeCloseTo(
        account({ kind: "gaussian", version: 1, sigma: "2", sensitivity: "1" }).epsilon(1e-5).upper,
        3,
      );
    }
  });
  it("that was asked for is met, with the least noise for it", () => {
    for (const request of [
      { ...base, sampler: "full", rate: 1, steps: 500 },
      { ...base, sampler: "poisson", steps: 50, adjacency: "replace-one", clip: { adaptive: { start: 2 } } },
      { ...base, sampler: "cyclic", steps: 500, correlation: { kind: "banded", bands: 50 } },
    ] as PlanRequest[]) {
      const { noise: _, ...open } = request;
      const plan = privatePlan({ ...open, epsilon: 1 });
      const { epsilon } = planPrice(plan);
      expect(epsilon).toBeLessThanOrEqual(1);
      expect(epsilon).toBeGreaterThan(0.999);
    }
  });
});

type Change = Partial<Record<keyof PlanRequest, unknown>>;

/** A wrong description, a word of the refusal, and the fix as it says, which is tried. */
const refusals: readonly (readonly [string, Change, RegExp, Change])[] = [
  ["clip 0", { clip: 0 }, /clip must be from 2\^-64 to 2\^64/, { clip: 1 }],
  ["a clip that no grid has", { clip: 2 ** 65 }, /clip must be from 2\^-64 to 2\^64/, { clip: 2 ** 64 }],
  [
    "an adaptive clip that could leave that range",
    { clip: { adaptive: { start: 2 ** 25 } } },
    /clip.adaptive.start must be from 2\^-24 to 2\^24/,
    { clip: { adaptive: { start: 2 ** -24 } } },
  ],
  ["a clip that is no number", { clip: Number.NaN }, /clip must be from/, { clip: 1 }],
  ["no units", { units: undefined }, /units must be an integer/, { units: 60_000 }],
  [
    "no units under replace-one",
    { units: undefined, adjacency: "replace-one" },
    /units must be an integer/,
    { units: 60_000 },
  ],
  ["a rate above 1", { rate: 1.5 }, /rate must be above 0 and at most 1/, { rate: "1/250" }],
  ["a rate of 0", { rate: 0 }, /rate must be above 0/, { rate: "1/250" }],
  ["no rate", { rate: undefined }, /rate must be given for poisson/, { rate: "1/250" }],
  ["steps of 0", { steps: 0 }, /steps must be an integer/, { steps: 1000 }],
  [
    "more steps than a sensitivity is summed over",
    { sampler: "cyclic", correlation: { kind: "tree" }, steps: 2 ** 21 },
    /steps must be an integer from 1 to 1048576/,
    { sampler: "cyclic", correlation: { kind: "tree" }, steps: 2 ** 20 },
  ],
  [
    "correlated noise beyond doubles",
    { sampler: "cyclic", correlation: { kind: "banded", bands: 2 }, noise: 200 },
    /σ at most 2\^40/,
    { sampler: "cyclic", correlation: { kind: "banded", bands: 2 }, noise: 10 },
  ],
  ["half a step", { steps: 1.5 }, /steps must be an integer/, { steps: 1000 }],
  ["both noise and ε", { epsilon: 1 }, /noise and epsilon must be one of the two/, { epsilon: undefined }],
  ["neither noise nor ε", { noise: undefined }, /noise and epsilon must be one of the two/, { noise: 1 }],
  ["noise of 0", { noise: 0 }, /noise must be above 0/, { noise: 1 }],
  [
    "ε of 0",
    { noise: undefined, epsilon: 0 },
    /epsilon must be a finite number above 0/,
    { noise: undefined, epsilon: 1, sampler: "full", rate: undefined, steps: 9 },
  ],
  ["δ of 0", { delta: 0 }, /delta must be above 0/, { delta: 1e-6 }],
  ["no δ", { delta: undefined }, /delta must be/, { delta: 1e-6 }],
  ["shuffled data", { sampler: "shuffle" }, /sampler must be one of/, { sampler: "balls-in-bins" }],
  [
    "a sample without replacement",
    { sampler: "without-replacement" },
    /sampler must be one of/,
    { sampler: "truncated-poisson", limit: 300 },
  ],
  ["an unknown sampler", { sampler: "bootstrap" }, /sampler must be one of/, { sampler: "poisson" }],
  ["a limit that is not priced", { limit: 300 }, /limit must be left out/, { limit: undefined }],
  [
    "a limit below the expected batch",
    { sampler: "truncated-poisson", limit: 100 },
    /limit must be an integer from 240/,
    { sampler: "truncated-poisson", limit: 240 },
  ],
  [
    "no limit",
    { sampler: "truncated-poisson" },
    /limit must be an integer from 240/,
    { sampler: "truncated-poisson", limit: 320 },
  ],
  [
    "balls in bins under replace-one",
    { sampler: "balls-in-bins", adjacency: "replace-one" },
    /no proof/,
    { sampler: "balls-in-bins", adjacency: "add-or-remove-one" },
  ],
  [
    "half a pass",
    { sampler: "balls-in-bins", steps: 3751 },
    /steps must be whole passes/,
    { sampler: "balls-in-bins", steps: 4000 },
  ],
  [
    "bins of uneven size",
    { sampler: "balls-in-bins", rate: "2/500.5" },
    /rate/,
    { sampler: "balls-in-bins", rate: "1/250" },
  ],
  [
    "a rate that is no whole share",
    { sampler: "balls-in-bins", rate: "3/500" },
    /one over a whole number/,
    { sampler: "balls-in-bins", rate: "1/250" },
  ],
  ["a full batch at a rate", { sampler: "full" }, /rate must be 1/, { sampler: "full", rate: undefined }],
  [
    "an adjacency of no proof",
    { adjacency: "edge" },
    /adjacency must be/,
    { adjacency: "add-or-remove-one" },
  ],
  [
    "correlated noise on samples",
    { correlation: { kind: "tree" } },
    /sampler must be cyclic/,
    { correlation: { kind: "tree" }, sampler: "cyclic" },
  ],
  [
    "a fixed order without correlation",
    { sampler: "cyclic" },
    /sampler must be another one/,
    { sampler: "cyclic", correlation: { kind: "tree" } },
  ],
  [
    "a clip that moves under correlated noise",
    { sampler: "cyclic", correlation: { kind: "tree" }, clip: { adaptive: { start: 1 } } },
    /clip must be the same/,
    { sampler: "cyclic", correlation: { kind: "tree" }, clip: 1 },
  ],
  [
    "a count that costs the whole",
    { clip: { adaptive: { start: 1, countNoise: 1 } } },
    /countNoise must be above the noise multiplier/,
    { clip: { adaptive: { start: 1, countNoise: 6 } } },
  ],
  [
    "a count without noise",
    { clip: { adaptive: { start: 1, countNoise: 0 } } },
    /countNoise must be above 0/,
    { clip: { adaptive: { start: 1 } } },
  ],
  [
    "a quantile of 1",
    { clip: { adaptive: { start: 1, quantile: 1 } } },
    /quantile must be/,
    { clip: { adaptive: { start: 1, quantile: 0.5 } } },
  ],
  [
    "a pace of 0",
    { clip: { adaptive: { start: 1, pace: 0 } } },
    /pace must be/,
    { clip: { adaptive: { start: 1, pace: 0.2 } } },
  ],
  [
    "norms without layers",
    { clip: { perLayer: [1] } },
    /a norm for each/,
    { clip: { perLayer: [1] }, model: { name: "one", parameters: 5, layers: [5] } },
  ],
  [
    "a layer's norm of 0",
    { clip: { perLayer: [0] }, model: { name: "one", parameters: 5, layers: [5] } },
    /perLayer must be from 2\^-64/,
    { clip: { perLayer: [1] }, model: { name: "one", parameters: 5, layers: [5] } },
  ],
  [
    "layers of another length",
    { model: { name: "one", parameters: 5, layers: [4] } },
    /model.layers must be/,
    { model: { name: "one", parameters: 5 } },
  ],
  [
    "a model without weights",
    { model: { name: "none", parameters: 0 } },
    /model.parameters must be/,
    { model: { name: "some", parameters: 26_010 } },
  ],
];

describe("a wrong description is refused, and its fix is accepted", () => {
  it.each(refusals)("%s", (_name, wrong, message, fix) => {
    const act = (): unknown => privatePlan({ ...base, ...wrong } as PlanRequest);
    expect(act).toThrow(message);
    expect(act).toThrow(
      expect.objectContaining({ code: "parameter.invalid", fix: expect.stringMatching(/\S/) }),
    );
    expect(privatePlan({ ...base, ...fix } as PlanRequest).version).toBe(1);
  });
});
