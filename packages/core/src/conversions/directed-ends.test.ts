import { describe, expect, it } from "vitest";
import { gaussianRenyi, pureRenyi, zcdpRenyi } from "../losses/renyi/curves/index.ts";
import {
  add,
  compare,
  fromDouble,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
  toDouble,
  zero,
} from "../numeric/rational.ts";
import { catastrophe, joined } from "./composition/optimal-composition.ts";
import {
  advancedCompositionSix,
  approximateTradeoff,
  basicComposition,
  classicalGaussianSigma,
  deltaFromRenyi,
  epsilonFromLossTail,
  epsilonFromRenyi,
  epsilonFromRenyiTextbook,
  gaussianDelta,
  gaussianEpsilon,
  gaussianMu,
  gaussianTradeoff,
  groupApproximate,
  groupGaussian,
  groupPure,
  groupTcdp,
  optimalCompositionDelta,
  optimalCompositionEpsilon,
  renyiGaussianSigma,
  rhoFromBoundedRange,
  tailBoundGaussianSigma,
  tightRhoFromPure,
  tradeoffFromProfile,
} from "./index.ts";
import { checkCount, checkDelta, checkEpsilon, checkPositiveDelta } from "./search/checks.ts";
import { crossing, epsilonRange } from "./search/least-epsilon.ts";
import {
  bitsBelowOne,
  checkTargetDelta,
  greatestTrue,
  leastTrue,
  rootOfIncreasing,
} from "./search/search.ts";

/* Roundings go toward more loss, refusals name what they refuse, and both ends of every domain are taken. */

const inf = Number.POSITIVE_INFINITY;
const invalid = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });
const exactly = (found: number, truth: Rational): number => compare(fromDouble(found), truth);
/** Never below the exact number, and above by a few ulp at most. */
function justAbove(found: number, truth: Rational): void {
  expect(exactly(found, truth)).toBeGreaterThanOrEqual(0);
  expect(found).toBeLessThanOrEqual(toDouble(truth, "up") * (1 + 3e-15));
}
const times = (x: number, k: bigint): Rational => multiply(fromDouble(x), ratio(k));
const doubles = [0.1, 0.3, 1 / 3, 0.7, 1.1, 2.9, 1e-9, 12345.678];
const sizes = [2n, 3n, 7n, 10n, 49n, 1001n];

describe("what is proven by products is never rounded down", () => {
  it.each(doubles)("for groups and compositions of %d", (x) => {
    for (const k of sizes) {
      justAbove(groupPure(x, k), times(x, k));
      justAbove(groupGaussian(x, k), times(x, k * k));
      const tcdp = groupTcdp({ rho: x, omega: 5000.1 }, k)!;
      justAbove(tcdp.rho, times(x, k * k));
      // The orders at which it holds are rounded the other way.
      expect(exactly(tcdp.omega, multiply(fromDouble(5000.1), ratio(1n, k)))).toBeLessThanOrEqual(0);
      expect(tcdp.omega).toBeGreaterThan((5000.1 / Number(k)) * (1 - 1e-15));
      const runs = { epsilon: x, delta: 1e-9, count: Number(k) };
      const both = basicComposition([runs, { epsilon: 0.1, delta: 0.3, count: 1 }]);
      justAbove(both.epsilon, add(times(x, k), fromDouble(0.1)));
      justAbove(both.delta, add(times(1e-9, k), fromDouble(0.3)));
    }
    justAbove(rhoFromBoundedRange(x), multiply(multiply(fromDouble(x), fromDouble(x)), ratio(1n, 8n)));
  });

  it("for a group of a δ: the geometric sum δ·Σ e^{iε}", () => {
    for (const delta of [1e-9, 0.01]) {
      // At ε = ln 2 the doubles' e^ε is 2 to an ulp.
      const { delta: three } = groupApproximate({ epsilon: Math.LN2, delta }, 3n);
      expect(three).toBeGreaterThanOrEqual(7 * delta * (1 - 1e-15));
      expect(three).toBeLessThanOrEqual(7 * delta * (1 + 1e-13));
      const { delta: many } = groupApproximate({ epsilon: 0, delta }, 3n);
      expect(exactly(many, times(delta, 3n))).toBeGreaterThanOrEqual(0);
    }
    expect(groupApproximate({ epsilon: 0.3, delta: 0.1 }, 1n)).toEqual({ epsilon: 0.3, delta: 0.1 });
    for (const delta of [0, 1]) expect(groupApproximate({ epsilon: 1, delta }, 2n).delta).toBe(delta);
    expect(() => groupApproximate({ epsilon: 1, delta: -1e-300 }, 2n)).toThrow(invalid("delta"));
    expect(() => groupGaussian(-1, 2n)).toThrow(invalid("muSquared"));
    expect(() => groupTcdp({ rho: -1, omega: 5 }, 2n)).toThrow(invalid("rho"));
    expect(() => groupTcdp({ rho: 1, omega: 5 }, 0n)).toThrow(invalid("size"));
    expect(groupTcdp({ rho: 0.3, omega: 1.5 }, 1n)).toEqual({ rho: 0.3, omega: 1.5 });
    expect(groupGaussian(0.3, 1n)).toBe(0.3);
  });

  it("for ε·tanh(ε/2), which is ε²/2 at small ε and ε at large", () => {
    for (const epsilon of [1e-9, 1e-3]) {
      // x − x³/3 ≤ tanh x ≤ x.
      const half = epsilon / 2;
      expect(tightRhoFromPure(epsilon)).toBeGreaterThanOrEqual(epsilon * (half - half ** 3 / 3));
      expect(tightRhoFromPure(epsilon)).toBeLessThanOrEqual(epsilon * half * (1 + 3e-15));
    }
    expect(tightRhoFromPure(1e6)).toBeGreaterThanOrEqual(1e6);
    expect(tightRhoFromPure(1e6)).toBeLessThan(1e6 * (1 + 3e-15));
    expect(tightRhoFromPure(0)).toBe(0);
    expect(rhoFromBoundedRange(0)).toBe(0);
  });
});

describe("checks", () => {
  it("name what they check, and give it back", () => {
    expect(checkEpsilon(0)).toBe(0);
    expect(checkDelta(0)).toBe(0);
    expect(checkPositiveDelta(Number.MIN_VALUE)).toBe(Number.MIN_VALUE);
    expect(checkCount(1)).toBe(1);
    expect(checkCount(2 ** 53 - 1)).toBe(2 ** 53 - 1);
    for (const x of [-Number.MIN_VALUE, inf, Number.NaN]) {
      expect(() => checkEpsilon(x)).toThrow(invalid("epsilon"));
      expect(() => checkEpsilon(x, "mu")).toThrow(invalid("mu"));
    }
    for (const x of [-Number.MIN_VALUE, 1, Number.NaN]) {
      expect(() => checkDelta(x)).toThrow(invalid("delta"));
      expect(() => checkDelta(x, "slack")).toThrow(invalid("slack"));
    }
    for (const x of [0, 1, Number.NaN]) {
      expect(() => checkPositiveDelta(x)).toThrow(invalid("delta"));
      expect(() => checkPositiveDelta(x, "slack")).toThrow(invalid("slack"));
    }
    for (const x of [0, -1, 1.5, 2 ** 53, Number.NaN]) {
      expect(() => checkCount(x)).toThrow(invalid("count"));
      expect(() => checkCount(x, "runs")).toThrow(invalid("runs"));
    }
  });

  it("of a target δ are from 2^−256, below 1", () => {
    const least = ratio(1n, 1n << 256n);
    for (const delta of [least, subtract(one, least)]) expect(() => checkTargetDelta(delta)).not.toThrow();
    for (const delta of [zero, one, subtract(least, ratio(1n, 1n << 600n)), ratio(-1n)])
      expect(() => checkTargetDelta(delta)).toThrow(invalid("delta"));
  });
});

describe("textbook noise", () => {
  it("is what its formula says, up to the ends of its domain", () => {
    for (const [sensitivity, epsilon, delta] of [
      [1, 1, 1e-5],
      [3, 0.5, 1e-9],
      [1, 1e-9, 0.4],
    ] as const) {
      const classical = (sensitivity * Math.sqrt(2 * Math.log(1.25 / delta))) / epsilon;
      const tail = (sensitivity * Math.sqrt(2 * Math.log(2 / delta))) / epsilon;
      const renyi = (2 * sensitivity * Math.sqrt(Math.log(1 / delta))) / epsilon;
      for (const [found, due] of [
        [classicalGaussianSigma(sensitivity, epsilon, delta), classical],
        [tailBoundGaussianSigma(sensitivity, epsilon, delta), tail],
        [epsilon <= -Math.log(delta) ? renyiGaussianSigma(sensitivity, epsilon, delta) : renyi, renyi],
      ] as const) {
        expect(found).toBeGreaterThanOrEqual(due);
        expect(found).toBeLessThanOrEqual(due * (1 + 4e-15));
      }
    }
    expect(tailBoundGaussianSigma(1, 1, 0.5)).toBeCloseTo(Math.sqrt(2 * Math.log(4)), 12);
    for (const delta of [0.5 + 2 ** -53, 0, -1, Number.NaN])
      expect(() => tailBoundGaussianSigma(1, 1, delta)).toThrow(invalid("delta"));
    for (const sigma of [classicalGaussianSigma, tailBoundGaussianSigma]) {
      for (const epsilon of [0, -1, 1 + 2 ** -52, Number.NaN])
        expect(() => sigma(1, epsilon, 0.1)).toThrow(invalid("epsilon"));
    }
    for (const sigma of [classicalGaussianSigma, tailBoundGaussianSigma, renyiGaussianSigma]) {
      for (const sensitivity of [0, -1, inf, Number.NaN])
        expect(() => sigma(sensitivity, 0.5, 0.1)).toThrow(invalid("sensitivity"));
    }
    const cost = -Math.log(1e-5);
    expect(renyiGaussianSigma(1, cost, 1e-5)).toBeCloseTo(2 / Math.sqrt(cost), 12);
    for (const epsilon of [0, cost * (1 + 1e-15), -1, Number.NaN])
      expect(() => renyiGaussianSigma(1, epsilon, 1e-5)).toThrow(invalid("epsilon"));
    for (const delta of [0, 1]) expect(() => renyiGaussianSigma(1, 0.5, delta)).toThrow(invalid("delta"));
  });

  it("is never less than the exact calibration, which lies at the end of what holds", () => {
    for (const [epsilon, delta] of [
      [1, 1e-5],
      [0.5, 1e-9],
      [0.1, 0.1],
    ] as const) {
      const least = 1 / gaussianMu(epsilon, delta);
      for (const sigma of [classicalGaussianSigma, tailBoundGaussianSigma, renyiGaussianSigma])
        expect(sigma(1, epsilon, delta)).toBeGreaterThan(least);
      const mu = gaussianMu(epsilon, delta);
      expect(gaussianDelta(mu, epsilon).upper).toBeLessThanOrEqual(delta);
      expect(gaussianDelta(mu * (1 + 1e-11), epsilon).upper).toBeGreaterThan(delta);
    }
  });

  it("without a second term says what else to use, outside its domain", () => {
    expect(() => advancedCompositionSix({ epsilon: 1, delta: 0, count: 1000 }, 1e-6)).toThrow(
      expect.objectContaining({
        code: "parameter.invalid",
        message: "1000 runs at ε = 1 are outside the domain of √(6k·ln(1/δ))·ε",
        fix: "use advancedComposition, or better optimalCompositionEpsilon, which hold everywhere",
        fields: { name: "count", domain: "such that k·(e^ε − 1)² ≤ (8 − 4√3)·ln(1/slack)" },
      }),
    );
    const inside = advancedCompositionSix({ epsilon: 0.01, delta: 1e-9, count: 1000 }, 1e-6);
    expect(inside.epsilon).toBeCloseTo(0.01 * Math.sqrt(6000 * Math.log(1e6)), 12);
    expect(inside.epsilon).toBeGreaterThanOrEqual(0.01 * Math.sqrt(6000 * Math.log(1e6)));
    expect(inside.delta).toBeCloseTo(1e-6 + 1e-6, 18);
    expect(advancedCompositionSix({ epsilon: 0, delta: 1, count: 2 }, 0.5).delta).toBe(1);
  });
});

describe("the chance that some run fails", () => {
  it("is 1 − Π(1 − δ)^n, between both ends", () => {
    for (const runs of [
      [{ delta: 0.25, count: 2 }],
      [
        { delta: 0.25, count: 1 },
        { delta: 0.5, count: 3 },
      ],
      [{ delta: 2 ** -40, count: 3 }],
    ]) {
      const safe = runs.reduce(
        (product, { delta, count }) =>
          Array.from({ length: count }).reduce<Rational>(
            (each) => multiply(each, subtract(one, fromDouble(delta))),
            product,
          ),
        one,
      );
      const truth = subtract(one, safe);
      const { lower, upper } = catastrophe(runs);
      expect(exactly(lower, truth)).toBeLessThanOrEqual(0);
      expect(exactly(upper, truth)).toBeGreaterThanOrEqual(0);
      expect(upper - lower).toBeLessThanOrEqual(upper * 4e-15);
    }
    expect(catastrophe([])).toEqual({ lower: 0, upper: 0 });
    expect(catastrophe([{ delta: 0, count: 9 }])).toEqual({ lower: 0, upper: 0 });
    expect(catastrophe([{ delta: 1, count: 1 }]).upper).toBe(1);
  });

  it("is joined with what the others lose: c + (1 − c)·d", () => {
    const both = joined({ lower: 0.25, upper: 0.5 }, { lower: 0.5, upper: 0.75 });
    expect(both.lower).toBeLessThanOrEqual(0.625);
    expect(both.lower).toBeCloseTo(0.625, 14);
    expect(both.upper).toBeGreaterThanOrEqual(0.875);
    expect(both.upper).toBeCloseTo(0.875, 14);
    expect(joined({ lower: 0.25, upper: 0.5 }, { lower: 0, upper: 0 })).toEqual({ lower: 0.25, upper: 0.5 });
    expect(joined({ lower: 1, upper: 1 }, { lower: 0.5, upper: 1 }).upper).toBe(1);
  });
});

describe("optimal composition at its ends", () => {
  const run = { epsilon: 1, delta: 0.25, count: 1 };
  it("is the chance of failure where ε is beyond all losses, at once and as ε(δ)", () => {
    for (const epsilon of [1, 1.5]) {
      const { lower, upper } = optimalCompositionDelta(run, epsilon);
      expect(lower).toBeLessThanOrEqual(0.25);
      expect(upper).toBeGreaterThanOrEqual(0.25);
      expect(upper - lower).toBeLessThan(1e-14);
    }
    expect(optimalCompositionEpsilon(run, 0.24)).toEqual({ lower: inf, upper: inf });
    expect(optimalCompositionEpsilon(run, 0.26).upper).toBeLessThanOrEqual(1 + 1e-12);
    // c + (1 − c)·tanh(½) at ε = 0: no ε is needed from there on.
    const all = 0.25 + 0.75 * Math.tanh(0.5);
    expect(optimalCompositionEpsilon(run, all + 1e-9)).toEqual({ lower: 0, upper: 0 });
    expect(optimalCompositionEpsilon(run, all - 1e-9).upper).toBeGreaterThan(0);
  });

  it("of two coins is worked out by hand", () => {
    // p = e/(1 + e): losses 2, 0, −2 with p², 2pq, q².
    const p = Math.E / (1 + Math.E);
    const two = { epsilon: 1, delta: 0, count: 2 };
    for (const epsilon of [0, 0.5, 1.999]) {
      const due = p * p * -Math.expm1(epsilon - 2);
      const { lower, upper } = optimalCompositionDelta(two, epsilon);
      expect(lower).toBeLessThanOrEqual(due * (1 + 1e-15));
      expect(upper).toBeGreaterThanOrEqual(due * (1 - 1e-15));
      expect(upper - lower).toBeLessThanOrEqual(1e-11 * due);
    }
    expect(optimalCompositionDelta(two, 2)).toEqual({ lower: 0, upper: 0 });
    for (const epsilon of [-1, Number.NaN, inf])
      expect(() => optimalCompositionDelta(two, epsilon)).toThrow(invalid("epsilon"));
    for (const delta of [-1, 1, Number.NaN])
      expect(() => optimalCompositionEpsilon(two, delta)).toThrow(invalid("delta"));
    expect(() => optimalCompositionDelta({ ...two, epsilon: -1 }, 1)).toThrow(invalid("epsilon of a run"));
    expect(() => optimalCompositionDelta({ ...two, delta: 1.5 }, 1)).toThrow(invalid("delta of a run"));
    for (const count of [0, 1.5, 1e10 + 1])
      expect(() => optimalCompositionDelta({ ...two, count }, 1)).toThrow(invalid("count"));
    expect(optimalCompositionDelta({ epsilon: 1e-9, delta: 0, count: 1e10 }, 1).upper).toBeLessThan(1);
  });
});

describe("searches", () => {
  it("find the least and the greatest whole number from any guess, in few questions", () => {
    for (const border of [0n, 1n, 2n, 63n, 10n ** 15n]) {
      for (const guess of [-5n, 0n, 1n, 64n, border, border + 1n, 10n ** 16n]) {
        let asked = 0;
        const counted = (k: bigint): boolean => {
          asked += 1;
          return k >= border;
        };
        expect(leastTrue(guess, counted)).toBe(border);
        expect(asked).toBeLessThan(200);
        expect(greatestTrue(guess, (k) => k <= border)).toBe(border);
      }
    }
  });

  it("find a root of an increasing function, from 2^−80 to 2^80", () => {
    for (const root of [1e-20, 1e-3, 1, 7.3, 1e10, 1e20]) {
      const found = rootOfIncreasing((t) => t - root);
      expect(found / root).toBeCloseTo(1, 6);
      expect(found).toBeGreaterThanOrEqual(root);
    }
    expect(rootOfIncreasing(() => 1)).toBeLessThan(2 ** -79);
    expect(rootOfIncreasing(() => -1)).toBe(2 ** 80);
  });

  it("know how many bits below 1 a number begins: enough, and one too many at most", () => {
    expect([one, ratio(7n), ratio(1n, 2n), ratio(1n, 1024n), ratio(3n, 1024n)].map(bitsBelowOne)).toEqual([
      ...[1, 0, 2, 11, 10],
    ]);
    for (const text of ["0.3", "1e-9", "2/3", "1e-40"]) {
      const x = parseRational(text);
      expect(toDouble(x, "up") * 2 ** bitsBelowOne(x)).toBeGreaterThanOrEqual(1);
      expect(toDouble(x, "up") * 2 ** bitsBelowOne(x)).toBeLessThanOrEqual(4);
    }
  });

  it("bracket the crossing of a δ by two values that they have seen", () => {
    for (const [name, at] of [
      ["a power", (epsilon: number) => 1 / (1 + epsilon) ** 3],
      ["an exponential", (epsilon: number) => Math.exp(-epsilon)],
      ["a cliff", (epsilon: number) => (epsilon < 3.7 ? 0.9 : 1e-30)],
      ["a normal tail", (epsilon: number) => Math.exp((-epsilon * epsilon) / 2)],
    ] as const) {
      for (const delta of [0.5, 1e-3, 1e-12]) {
        for (const reach of [1e-6, 1, 1e6]) {
          const seen = new Set<number>([0]);
          const { fails, holds } = crossing(
            (epsilon) => {
              seen.add(epsilon);
              return at(epsilon);
            },
            delta,
            reach,
          );
          expect(seen.has(fails) && seen.has(holds), name).toBe(true);
          expect(at(holds), name).toBeLessThanOrEqual(delta);
          expect(at(fails), name).toBeGreaterThan(delta);
          expect(holds - fails, name).toBeLessThanOrEqual(2 ** -44 * holds);
          expect(seen.size, name).toBeLessThan(150);
        }
      }
    }
    // δ = 0 is met where the function is 0.
    const { fails, holds } = crossing((epsilon) => Math.max(0, 2 - epsilon), 0, 1);
    expect(holds).toBe(2);
    expect(fails).toBeGreaterThanOrEqual(2 * (1 - 2 ** -43));
    expect(crossing(() => 0.5, 0.5, 1)).toEqual({ fails: 0, holds: 0 });
    expect(crossing(() => 0.5, 0.4, 1).holds).toBe(inf);
  });

  it("have both ends of an ε, where δ settles too", () => {
    const at = (epsilon: number) => ({ lower: 0.9 * Math.exp(-epsilon), upper: Math.exp(-epsilon) });
    const { lower, upper } = epsilonRange(at, 1e-3, 1);
    expect(upper).toBeCloseTo(Math.log(1e3), 10);
    expect(lower).toBeCloseTo(Math.log(0.9e3), 10);
    const floor = (epsilon: number) => {
      const value = epsilon < 2 ? 0.5 : 0.25;
      return { lower: value * 0.99, upper: value * 1.01 };
    };
    expect(epsilonRange(floor, 0.2, 2, true)).toEqual({ lower: inf, upper: inf });
    // Between the two ends of what is left for ever: nothing is proven above.
    expect(epsilonRange(floor, 0.25, 2, true).upper).toBe(inf);
    expect(epsilonRange(floor, 0.25, 2, true).lower).toBeLessThanOrEqual(2);
    expect(epsilonRange(floor, 0.3, 2, true).upper).toBeCloseTo(2, 10);
    expect(epsilonRange(floor, 0.3, 2, true).lower).toBeCloseTo(2, 10);
    expect(epsilonRange(floor, 0.6, 2, true)).toEqual({ lower: 0, upper: 0 });
  });

  it("find the ε of a tail", () => {
    expect(epsilonFromLossTail((epsilon) => Math.exp(-epsilon), 0.01)).toBeCloseTo(Math.log(100), 10);
    expect(Math.exp(-epsilonFromLossTail((epsilon) => Math.exp(-epsilon), 0.01))).toBeLessThanOrEqual(0.01);
    for (const delta of [-1, 1, Number.NaN])
      expect(() => epsilonFromLossTail(() => 0, delta)).toThrow(invalid("delta"));
  });
});

describe("trade-offs", () => {
  it("of (ε, δ) are their three lines, within a hair, at every corner", () => {
    for (const [epsilon, delta] of [
      [0, 0],
      [1, 0.1],
      [3, 0],
      [700, 0.01],
    ] as const) {
      const corner = (1 - delta) / (1 + Math.exp(epsilon));
      for (const alpha of [0, corner / 2, corner, (1 + corner) / 2, 1 - delta, 1]) {
        const truth = Math.max(
          0,
          1 - delta - (alpha === 0 ? 0 : Math.exp(epsilon) * alpha),
          Math.exp(-epsilon) * (1 - delta - alpha),
        );
        const { lower, upper } = approximateTradeoff(epsilon, delta, alpha);
        expect(lower).toBeLessThanOrEqual(truth);
        expect(upper).toBeGreaterThanOrEqual(Math.min(truth, 1 - alpha));
        expect(upper - lower).toBeLessThanOrEqual(1e-15 * (1 + epsilon));
        expect(lower).toBeGreaterThanOrEqual(0);
        expect(upper).toBeLessThanOrEqual(1 - alpha);
      }
    }
    for (const delta of [-0.1, 1, Number.NaN])
      expect(() => approximateTradeoff(1, delta, 0.5)).toThrow(invalid("delta"));
    for (const epsilon of [-0.1, inf, Number.NaN])
      expect(() => approximateTradeoff(epsilon, 0, 0.5)).toThrow(invalid("epsilon"));
    for (const mu of [-0.1, inf, Number.NaN]) expect(() => gaussianTradeoff(mu, 0.5)).toThrow(invalid("mu"));
  });

  it("of a Gaussian swap their errors: f is its own inverse", () => {
    for (const mu of [0.1, 1, 4]) {
      for (const alpha of [0.01, 0.3, 0.7]) {
        const { lower, upper } = gaussianTradeoff(mu, alpha);
        expect(upper - lower).toBeLessThanOrEqual(1e-12 * upper + 1e-300);
        const back = gaussianTradeoff(mu, upper);
        expect(back.lower / alpha).toBeCloseTo(1, 6);
      }
    }
  });

  it("of a profile have a lower end from every ε that is tried, and an upper one from all", () => {
    // δ falls to a floor of 0.1, which no ε lowers: at α = 0 the best is 1 − 0.1.
    const floor = (epsilon: number) => {
      const value = Math.max(0.1, 0.5 - epsilon);
      return { lower: value, upper: value };
    };
    const at = tradeoffFromProfile(floor, 0, 5);
    expect(at.lower).toBeCloseTo(0.9, 12);
    expect(at.upper).toBeGreaterThanOrEqual(0.9);
    expect(tradeoffFromProfile(floor, 1, 5)).toEqual({ lower: 0, upper: 0 });
    // With few questions both ends still hold.
    const tight = tradeoffFromProfile((epsilon) => gaussianDelta(1, epsilon), 0.1, 10, 1000);
    for (const evaluations of [3, 5, 20]) {
      const rough = tradeoffFromProfile((epsilon) => gaussianDelta(1, epsilon), 0.1, 10, evaluations);
      expect(rough.lower).toBeLessThanOrEqual(tight.upper);
      expect(rough.upper).toBeGreaterThanOrEqual(tight.lower);
      expect(rough.upper - rough.lower).toBeGreaterThanOrEqual(tight.upper - tight.lower);
    }
  });
});

describe("Rényi curves in (ε, δ)", () => {
  it("have an ε of 0 where δ covers total variation, √(1 − e^(−D)) at order 1", () => {
    const curve = gaussianRenyi(0.01);
    const variation = Math.sqrt(-Math.expm1(-0.005));
    expect(epsilonFromRenyi(curve, variation * (1 + 1e-6))).toBeLessThan(1e-300);
    expect(deltaFromRenyi(curve, 0)).toBeLessThanOrEqual(variation * (1 + 1e-6));
    expect(deltaFromRenyi(curve, 0)).toBeGreaterThanOrEqual(gaussianDelta(0.1, 0).lower);
  });

  it("are bounded by the largest loss, and without one by nothing at δ = 0", () => {
    const pure = pureRenyi(0.5);
    expect(epsilonFromRenyi(pure, 0)).toBe(0.5);
    expect(epsilonFromRenyi(pure, 1e-300)).toBeLessThanOrEqual(0.5);
    expect(deltaFromRenyi(pure, 0.5)).toBe(0);
    expect(deltaFromRenyi(pure, 0.49)).toBeGreaterThan(0);
    expect(epsilonFromRenyi(zcdpRenyi(0.5), 0)).toBe(inf);
    expect(deltaFromRenyi(zcdpRenyi(100), 0)).toBe(1);
    for (const delta of [-1, 1, Number.NaN])
      expect(() => epsilonFromRenyi(pure, delta)).toThrow(invalid("delta"));
    for (const epsilon of [-1, inf, Number.NaN])
      expect(() => deltaFromRenyi(pure, epsilon)).toThrow(invalid("epsilon"));
    for (const delta of [0, 1, Number.NaN])
      expect(() => epsilonFromRenyiTextbook(pure, delta)).toThrow(invalid("delta"));
  });

  it("are never below the exact Gaussian, and Mironov's form is ρ + 2√(ρ·ln(1/δ)) of ρ-zCDP", () => {
    for (const mu of [0.1, 1, 5]) {
      for (const delta of [0.1, 1e-5, 1e-30]) {
        const tight = epsilonFromRenyi(gaussianRenyi(mu * mu), delta);
        expect(tight).toBeGreaterThanOrEqual(gaussianEpsilon(mu, delta).lower);
        const rho = (mu * mu) / 2;
        const textbook = rho + 2 * Math.sqrt(rho * Math.log(1 / delta));
        expect(epsilonFromRenyiTextbook(zcdpRenyi(rho), delta)).toBeGreaterThanOrEqual(
          textbook * (1 - 1e-15),
        );
        expect(epsilonFromRenyiTextbook(zcdpRenyi(rho), delta)).toBeLessThanOrEqual(textbook * (1 + 1e-11));
        expect(tight).toBeLessThanOrEqual(textbook);
      }
    }
  });
});
