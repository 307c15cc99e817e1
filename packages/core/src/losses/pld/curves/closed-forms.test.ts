import { describe, expect, it } from "vitest";
import { gaussianDeltaBracket } from "../../../conversions/gaussian/gaussian-delta.ts";
import { compare, fromDouble, multiply } from "../../../numeric/rational.ts";
import { type DominatingPair, finitePair, gaussianPair, laplacePair, twoPointPair } from "../pairs/index.ts";
import { directionFacts, infiniteOf } from "../search/direction.ts";
import { planSteps } from "../transform/grid-steps.ts";
import { composedCurve, gaussianCurve, pldCurve, pldProfile, pldReached } from "./index.ts";
import { oneStep } from "./one-step-curve.ts";
import { tradeoffBounds } from "./tradeoff.ts";

const inf = Number.POSITIVE_INFINITY;
const invalid = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });
const times = (pair: DominatingPair, count: number) => ({ pair, count: BigInt(count) });

/** δ(ε) of n randomized responses of ε₀, by the binomial sum. */
function responses(n: number, epsilon0: number, epsilon: number): number {
  const p = 1 / (1 + Math.exp(-epsilon0));
  let [total, mass] = [0, (1 - p) ** n];
  for (let i = 0; i <= n; i++) {
    total += mass * Math.max(0, -Math.expm1(epsilon - (2 * i - n) * epsilon0));
    mass *= ((n - i) / (i + 1)) * (p / (1 - p));
  }
  return total;
}

describe("a Gaussian", () => {
  it("has a δ between doubles that hold the exact one, to nine digits or 1e-13", () => {
    for (const mu of [2 ** -20, 0.125, 1, 7.5, 30]) {
      for (const part of [0, 0.01, 0.5, 1, 2.5]) {
        const epsilon = part * (mu + (mu * mu) / 2);
        const exact = gaussianDeltaBracket(
          multiply(fromDouble(mu), fromDouble(mu)),
          fromDouble(epsilon),
          300,
        );
        const { lower, upper, provenance } = gaussianCurve(mu).delta(epsilon);
        expect(compare(fromDouble(lower), exact.hi), `${mu} ${epsilon}`).toBeLessThanOrEqual(0);
        expect(compare(fromDouble(upper), exact.lo), `${mu} ${epsilon}`).toBeGreaterThanOrEqual(0);
        expect(upper - lower).toBeLessThan(1e-9 * upper + 1e-13);
        expect(provenance.upper).toBe("gaussian, Balle–Wang 2018 Thm 8");
      }
    }
  });

  it("has an ε where its δ is met, and none where nothing is lost", () => {
    for (const mu of [0.01, 1, 20]) {
      for (const delta of [0.5, 1e-3, 1e-50]) {
        const { lower, upper } = gaussianCurve(mu).epsilon(delta);
        expect(gaussianCurve(mu).delta(upper).upper).toBeLessThanOrEqual(delta);
        if (lower > 0) expect(gaussianCurve(mu).delta(lower).lower).toBeGreaterThan(delta);
        expect(upper - lower).toBeLessThanOrEqual(1e-9 * (1 + upper));
      }
    }
    expect(gaussianCurve(1).epsilon(0)).toMatchObject({ lower: inf, upper: inf });
    expect(gaussianCurve(0).epsilon(0)).toMatchObject({ lower: 0, upper: 0 });
    expect(gaussianCurve(0).delta(0)).toMatchObject({ lower: 0, upper: 0 });
    expect(gaussianCurve(0.1).epsilon(0.5)).toMatchObject({ lower: 0, upper: 0 });
  });

  it("says what it can at enormous and at tiny distances", () => {
    expect(gaussianCurve(1e200).delta(1)).toMatchObject({ lower: 0, upper: 1 });
    expect(gaussianCurve(1e-200).delta(1)).toMatchObject({ lower: 0, upper: 1e-300 });
    expect(gaussianCurve(1e-308).delta(1e300)).toMatchObject({ lower: 0, upper: 1e-300 });
    expect(gaussianCurve(1000).delta(0).upper).toBeLessThanOrEqual(1);
    expect(gaussianCurve(1000).delta(0).lower).toBeGreaterThan(1 - 1e-9);
    for (const mu of [-1, inf, Number.NaN]) expect(() => gaussianCurve(mu)).toThrow(invalid("mu"));
  });

  it("is asked within the domains alone, by name", () => {
    for (const curve of [gaussianCurve(1), pldCurve([times(laplacePair(1), 1)])]) {
      for (const x of [-1, inf, Number.NaN]) expect(() => curve.delta(x)).toThrow(invalid("epsilon"));
      for (const x of [-1, 1, Number.NaN]) expect(() => curve.epsilon(x)).toThrow(invalid("delta"));
      for (const x of [-1, 1 + 2 ** -52, Number.NaN])
        expect(() => curve.tradeoff(x)).toThrow(invalid("alpha"));
      expect(curve.tradeoff(0).upper).toBe(1);
      expect(curve.tradeoff(1)).toMatchObject({ lower: 0, upper: 0 });
    }
  });
});

describe("a curve of pairs", () => {
  it("is a Gaussian's where they are Gaussians, one step's where it is one, else one on a grid", () => {
    expect(
      pldCurve([times(gaussianPair(0.6), 1), times(gaussianPair(0.8), 1)]).delta(1).provenance.upper,
    ).toMatch(/^gaussian/);
    expect(pldCurve([]).delta(0).provenance.upper).toMatch(/^gaussian/);
    expect(pldCurve([times(laplacePair(1), 1)]).delta(1).provenance).toEqual({ lower: "pld", upper: "pld" });
    expect(composedCurve([times(gaussianPair(1), 1)]).delta(1).provenance.upper).toBe("pld");
  });

  it("takes an accuracy from 1e-12 to 1", () => {
    for (const accuracy of [1e-12, 1]) {
      expect(() => pldCurve([times(laplacePair(1), 1)], accuracy)).not.toThrow();
      expect(() => composedCurve([times(laplacePair(1), 1)], accuracy)).not.toThrow();
    }
    for (const accuracy of [9e-13, 1 + 2 ** -52, 0, Number.NaN]) {
      expect(() => pldCurve([times(laplacePair(1), 1)], accuracy)).toThrow(invalid("accuracy"));
      expect(() => composedCurve([times(laplacePair(1), 1)], accuracy)).toThrow(invalid("accuracy"));
    }
    expect(pldCurve([times(laplacePair(1), 5)], 1e-2).epsilon(1e-3).upper).toBeLessThan(
      pldCurve([times(laplacePair(1), 5)], 1e-6).epsilon(1e-3).upper + 1e-2,
    );
  });

  it("of randomized responses is their binomial sum", () => {
    const curve = composedCurve([times(twoPointPair(0.3, 0), 12)]);
    for (const epsilon of [0, 0.1, 0.61, 1.7, 3.5]) {
      const truth = responses(12, 0.3, epsilon);
      const { lower, upper } = curve.delta(epsilon);
      expect(lower).toBeLessThanOrEqual(truth * (1 + 1e-12));
      expect(upper).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
      expect(upper - lower).toBeLessThan(1e-6 * truth);
    }
    expect(curve.delta(3.6000001)).toMatchObject({ lower: 0, upper: 0 });
    expect(curve.epsilon(0).upper).toBeCloseTo(3.6, 12);
    expect(curve.epsilon(0).upper).toBeGreaterThanOrEqual(3.6);
  });

  it("adds up what is told in full: 1 − Π(1 − δ)^n", () => {
    const pairs = [times(twoPointPair(0.1, 0.01), 3), times(twoPointPair(0.2, 0.1), 2)];
    const truth = 1 - 0.99 ** 3 * 0.9 ** 2;
    const { lower, upper } = composedCurve(pairs).delta(5);
    expect(lower).toBeLessThanOrEqual(truth);
    expect(lower).toBeGreaterThan(truth * (1 - 1e-9));
    expect(upper).toBeGreaterThanOrEqual(truth * (1 - 1e-15));
    expect(upper).toBeLessThan(truth * (1 + 1e-9));
    const steps = planSteps(pairs);
    for (const side of ["forward", "mirrored"] as const) {
      const facts = directionFacts(steps, side);
      expect(infiniteOf(steps, facts)).toBeCloseTo(truth, 14);
      expect(facts.maxLoss).toBeGreaterThanOrEqual(0.7);
      expect(facts.maxLoss).toBeLessThan(0.7 * (1 + 1e-14));
      expect(facts.repeated.map(({ count }) => count)).toEqual([3, 2]);
    }
  });

  it("of pairs that are told apart one way alone has the greater of both directions", () => {
    const pair = finitePair([0.5, 0.5], [1, 0]);
    const steps = planSteps([times(pair, 2)]);
    expect(infiniteOf(steps, directionFacts(steps, "forward"))).toBeCloseTo(0.75, 14);
    expect(infiniteOf(steps, directionFacts(steps, "mirrored"))).toBe(0);
    // Forward: ¾ told in full, and ¼ − e^ε·1 below 0. Mirrored: 1 − e^ε/4 at losses of ln 4.
    expect(composedCurve([times(pair, 2)]).delta(0).lower).toBeGreaterThan(0.75 * (1 - 1e-9));
    expect(composedCurve([times(pair, 2)]).delta(3).upper).toBeLessThan(0.75 * (1 + 1e-9));
    expect(directionFacts(steps, "mirrored").maxLoss).toBeCloseTo(Math.log(4), 12);
    // Gains alone lose nothing: what a direction loses at most is then not above 0.
    expect(directionFacts(steps, "forward").maxLoss).toBeLessThan(0);
  });
});

describe("a profile for many ε", () => {
  it("is never below the sum that it bounds, and close to it, in whatever order it is asked", () => {
    const epsilons = Array.from({ length: 30 }, (_, i) => i * 0.12);
    const shuffled = epsilons.map((_, i) => epsilons[(i * 7) % 30]!);
    for (const order of [epsilons.toReversed(), shuffled]) {
      const profile = pldProfile([times(twoPointPair(0.3, 0), 12)]);
      for (const epsilon of order) {
        const truth = responses(12, 0.3, epsilon);
        expect(profile(epsilon)).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
        expect(profile(epsilon)).toBeLessThanOrEqual(truth * 1.01 + 1e-12);
      }
    }
  });

  it("of nothing is 0, and of Gaussians the closed form", () => {
    expect(pldProfile([])(0)).toBe(0);
    expect(pldProfile([times(gaussianPair(0.6), 1), times(gaussianPair(0.8), 1)])(1)).toBeCloseTo(
      gaussianCurve(1).delta(1).upper,
      12,
    );
  });

  it("has a pair that is reached where its parts are, and none where they are bounds alone", () => {
    expect(pldReached([], "none")).toEqual([]);
    expect(pldReached([times(twoPointPair(0.3, 0, false), 3)], "bound")).toEqual([]);
    const [pair] = pldReached([times(twoPointPair(0.3, 0), 6)], "six");
    expect(pair).toMatchObject({ id: "tests(six)", tight: true, infiniteP: 0, infiniteQ: 0 });
    for (const epsilon of [0, 0.5, 1]) {
      const found = oneStep(pair!).delta(epsilon);
      expect(found.lower).toBeLessThanOrEqual(responses(6, 0.3, epsilon));
      expect(found.lower).toBeGreaterThan(0.95 * responses(6, 0.3, epsilon));
    }
  });
});

describe("one step", () => {
  it("that is a bound is asked through pairs that are reached, those for this ε too", () => {
    const bound = twoPointPair(2, 0, false);
    const asked: number[] = [];
    const reachedAt = (epsilon: number): readonly DominatingPair[] => {
      asked.push(epsilon);
      return [twoPointPair(1.5, 0)];
    };
    const both = { ...bound, reached: [twoPointPair(1, 0)], reachedAt };
    const of = (pair: DominatingPair, epsilon: number): number => oneStep(pair).delta(epsilon).lower;
    const delta = (epsilon0: number, epsilon: number): number =>
      (Math.exp(epsilon0) - Math.exp(epsilon)) / (1 + Math.exp(epsilon0));
    expect(of({ ...bound, reached: [twoPointPair(1, 0)] }, 0.5)).toBeCloseTo(delta(1, 0.5), 10);
    expect(of(both, 0.5)).toBeCloseTo(delta(1.5, 0.5), 10);
    expect(asked).toEqual([0.5]);
    // A profile of many ε does not look for pairs at each.
    expect(oneStep(both).profile(0.5).lower).toBeCloseTo(delta(1, 0.5), 10);
    expect(oneStep(both).profile(0.5).upper).toBeCloseTo(delta(2, 0.5), 10);
    expect(asked).toEqual([0.5]);
    const { lower, upper } = oneStep(both).epsilon(0.1);
    expect(upper).toBeCloseTo(Math.log(Math.exp(2) - 0.1 * (1 + Math.exp(2))), 9);
    expect(lower).toBeCloseTo(Math.log(Math.exp(1.5) - 0.1 * (1 + Math.exp(1.5))), 9);
    expect(asked.at(-1)).toBe(upper);
    expect(of(bound, 0.5)).toBe(0);
  });

  it("loses its largest loss at δ = 0, less what that may be off", () => {
    const pure = twoPointPair(1, 0);
    expect(oneStep(pure).epsilon(0).upper).toBe(pure.maxLoss);
    expect(oneStep(pure).epsilon(0).lower).toBeLessThanOrEqual(1);
    expect(oneStep(pure).epsilon(0).lower).toBeGreaterThan(1 - 1e-12);
    expect(oneStep({ ...pure, lossError: 0.01 }).epsilon(0).lower).toBeCloseTo(0.99, 10);
    expect(oneStep({ ...pure, lossError: 2 }).epsilon(0).lower).toBe(0);
    expect(oneStep(twoPointPair(1, 0.1)).epsilon(0)).toEqual({ lower: inf, upper: inf });
    expect(oneStep(gaussianPair(1)).epsilon(0)).toEqual({ lower: inf, upper: inf });
    // What is told in full is needed at least, to its own rounding.
    expect(oneStep(twoPointPair(1, 0.1)).epsilon(0.0999)).toEqual({ lower: inf, upper: inf });
    expect(oneStep(twoPointPair(1, 0.1)).epsilon(0.2).upper).toBeLessThan(1);
    expect(oneStep(twoPointPair(1, 0.1)).delta(1.0000001)).toEqual({
      ...{ lower: expect.closeTo(0.1, 12), upper: expect.closeTo(0.1, 12) },
    });
  });

  it("of an error in its losses is wider by what that makes of it", () => {
    const pure = twoPointPair(1, 0);
    const [exact, blurred] = [oneStep(pure).delta(0.5), oneStep({ ...pure, lossError: 1e-6 }).delta(0.5)];
    expect(blurred.upper).toBeGreaterThan(exact.upper);
    expect(blurred.lower).toBeLessThan(exact.lower);
    expect(blurred.upper - blurred.lower).toBeLessThan(1e-4);
  });
});

describe("a trade-off", () => {
  it("of a Gaussian's profile holds the closed form between its ends", () => {
    const curve = gaussianCurve(1);
    for (const alpha of [0, 1e-12, 0.01, 0.3, 0.9, 1]) {
      const { lower, upper } = tradeoffBounds((epsilon) => curve.delta(epsilon), alpha);
      const truth = curve.tradeoff(alpha);
      expect(lower).toBeLessThanOrEqual(truth.upper);
      expect(upper).toBeGreaterThanOrEqual(truth.lower);
      if (alpha > 0) expect(upper - lower).toBeLessThan(1e-4);
      expect(lower).toBeGreaterThan(truth.lower - 1e-3);
      expect(upper).toBeLessThanOrEqual(1 - alpha);
    }
  });

  it("asks each ε once, and no more than 400 of them twice over", () => {
    const asked: number[] = [];
    const curve = gaussianCurve(3);
    tradeoffBounds((epsilon) => {
      asked.push(epsilon);
      return curve.delta(epsilon);
    }, 0.01);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.length).toBeLessThanOrEqual(402);
    expect(asked).toContain(0);
  });
});
