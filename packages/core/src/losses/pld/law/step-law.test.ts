import { describe, expect, it } from "vitest";
import { finitePair, gaussianPair, laplacePair, twoPointPair } from "../pairs/index.ts";
import { rangeOfTilt, saddleAt, saddleForDelta, saddleForEpsilon } from "../tilt/saddle.ts";
import { normalReach } from "../tilt/tail-bound.ts";
import { windowFor } from "../tilt/window.ts";
import {
  cumulants,
  forwardLaw,
  logMassOf,
  mirroredLaw,
  peakedness,
  type StepLaw,
  splitStepLaw,
  stepAtoms,
  thinned,
} from "./step-law.ts";

const law = (rows: readonly (readonly [number, number])[]): StepLaw => ({
  losses: Float64Array.from(rows, ([loss]) => loss),
  logMasses: Float64Array.from(rows, ([, mass]) => Math.log(mass)),
});
const coin = law([
  [-1, 0.5],
  [1, 0.5],
]);

describe("a step's losses", () => {
  it("are its atoms in increasing loss, both ways", () => {
    const atoms = stepAtoms(finitePair([0.5, 0.375, 0.125], [0.25, 0.25, 0.5]));
    expect([...atoms.losses]).toEqual([0.125 / 0.5, 0.375 / 0.25, 0.5 / 0.25].map(Math.log));
    expect([...atoms.p]).toEqual([0.125, 0.375, 0.5]);
    expect([...atoms.q]).toEqual([0.5, 0.25, 0.25]);
    expect([...forwardLaw(atoms).losses]).toEqual([...atoms.losses]);
    expect([...mirroredLaw(atoms).losses]).toEqual([...atoms.losses].map((x) => -x).reverse());
    expect([...mirroredLaw(atoms).logMasses]).toEqual([0.25, 0.25, 0.5].map(Math.log));
  });

  it("are finite ones, up to ±600 alone", () => {
    expect([...stepAtoms(twoPointPair(600, 0)).losses].map(Math.round)).toEqual([-600, 600]);
    expect(stepAtoms(finitePair([1, Math.exp(-601)], [0.5, 0.5])).losses).toHaveLength(1);
    expect(stepAtoms(twoPointPair(1, 1)).losses).toHaveLength(0);
  });

  it("of a density are so many panels that their moments are its own", () => {
    for (const [pair, mean] of [
      [gaussianPair(1), 0.5],
      // E[L] of Laplace noise: ε − 1 + e^{−ε}.
      [laplacePair(1), Math.exp(-1)],
    ] as const) {
      const { log, mean: found } = cumulants(forwardLaw(stepAtoms(pair)), 0);
      expect(log).toBeCloseTo(0, 12);
      expect(found).toBeCloseTo(mean, 2);
    }
  });
});

describe("moments of a law", () => {
  it("are those of its tilt: ln cosh λ, tanh λ and 1 − tanh² λ for a fair coin", () => {
    for (const tilt of [0, 0.5, 3, 200]) {
      const { log, mean, variance } = cumulants(coin, tilt);
      expect(log).toBeCloseTo(tilt > 100 ? tilt - Math.LN2 : Math.log(Math.cosh(tilt)), 12);
      expect(mean).toBeCloseTo(Math.tanh(tilt), 12);
      expect(variance).toBeCloseTo(1 - Math.tanh(tilt) ** 2, 12);
    }
    expect(cumulants(law([]), 1)).toEqual({ log: Number.NEGATIVE_INFINITY, mean: 0, variance: 0 });
    expect(cumulants(law([[7, 0.25]]), 2)).toMatchObject({ mean: 7, variance: 0 });
    expect(
      logMassOf(
        law([
          [7, 0.25],
          [9, 0.5],
        ]),
      ),
    ).toBeCloseTo(Math.log(0.75), 14);
  });

  it("are kept by a law thinned to few points", () => {
    const fine = law(Array.from({ length: 1001 }, (_, i) => [i / 1000, (i + 1) / 501_501] as const));
    const few = thinned(fine, 60);
    expect(few.losses.length).toBeLessThanOrEqual(60);
    expect(few.losses.length).toBeGreaterThan(50);
    expect(logMassOf(few)).toBeCloseTo(0, 12);
    expect(cumulants(few, 0).mean).toBeCloseTo(cumulants(fine, 0).mean, 12);
    expect(cumulants(few, 2).log).toBeCloseTo(cumulants(fine, 2).log, 3);
    expect(thinned(fine, 1001)).toBe(fine);
    // Points of no mass are left out.
    const gaps = law([
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 1],
    ]);
    expect([...thinned(gaps, 2).losses]).toEqual([2.5]);
  });

  it("are split at a cut, the loss at the cut below", () => {
    const three = law([
      [-1, 0.25],
      [0.5, 0.5],
      [2, 0.25],
    ]);
    for (const [cut, below] of [
      [-2, 0],
      [-1, 1],
      [0.4, 1],
      [0.5, 2],
      [2, 3],
    ] as const) {
      const parts = splitStepLaw(three, cut);
      expect(parts.below.losses).toHaveLength(below);
      expect([...parts.below.losses, ...parts.above.losses]).toEqual([-1, 0.5, 2]);
      expect([...parts.below.logMasses, ...parts.above.logMasses]).toEqual([...three.logMasses]);
    }
  });

  it("tell how far a sum is from normal: by 2/n for n coins, and by a rare loss's own rarity", () => {
    for (const count of [1, 4, 100]) {
      // The excess kurtosis of a coin is −2, and nothing is skewed.
      expect(peakedness([{ law: coin, count }], 0)).toBeCloseTo(2 / count, 12);
    }
    const rare = law([
      [0, 0.99],
      [1, 0.01],
    ]);
    const [p, q] = [0.01, 0.99];
    const [skewed, peaked] = [(q - p) ** 2 / (p * q), (1 - 6 * p * q) / (p * q)];
    expect(peakedness([{ law: rare, count: 3 }], 0)).toBeCloseTo(Math.max(skewed, peaked) / 3, 9);
    // Two steps of one law are that law twice; a tilt of ln 99 makes the coin fair.
    expect(
      peakedness(
        [
          { law: coin, count: 2 },
          { law: coin, count: 2 },
        ],
        0,
      ),
    ).toBeCloseTo(0.5, 12);
    expect(peakedness([{ law: rare, count: 4 }], Math.log(99))).toBeCloseTo(0.5, 10);
    expect(peakedness([{ law: law([[1, 1]]), count: 4 }], 0)).toBe(0);
  });
});

describe("a saddle point", () => {
  const steps = [{ law: coin, count: 100 }];
  it("has the moments of the tilted sum", () => {
    const { tilt, mean, deviation, log } = saddleAt(steps, 0.25);
    expect(tilt).toBe(0.25);
    expect(mean).toBeCloseTo(100 * Math.tanh(0.25), 11);
    expect(deviation).toBeCloseTo(10 / Math.cosh(0.25), 11);
    expect(log).toBeCloseTo(100 * Math.log(Math.cosh(0.25)), 11);
  });

  it("is found where its mean is ε, or half a deviation above, and untilted where the mean is above anyway", () => {
    for (const epsilon of [1, 10, 50, 90]) {
      const { mean, deviation } = saddleForEpsilon(steps, epsilon);
      expect(mean).toBeGreaterThanOrEqual(epsilon);
      expect(mean).toBeLessThanOrEqual(epsilon + 0.5 * deviation);
    }
    expect(saddleForEpsilon(steps, -1).tilt).toBe(0);
    expect(saddleForEpsilon(steps, 0).tilt).toBe(0);
  });

  it("is found where δ is about as asked, never above, and guesses δ to a factor of 2", () => {
    for (const logDelta of [-5, -20, -50]) {
      const saddle = saddleForDelta(steps, logDelta);
      expect(saddle.logDelta).toBeLessThanOrEqual(logDelta);
      expect(saddle.logDelta).toBeGreaterThanOrEqual(logDelta - 0.5);
    }
    // N(μ²/2, μ²) losses at μ = 1 and ε = 3: δ by Balle & Wang, 0.00153…
    const gaussian = [{ law: forwardLaw(stepAtoms(gaussianPair(1))), count: 1 }];
    const guess = saddleForEpsilon(gaussian, 3);
    const truth = 0.0015;
    expect(Math.exp(guess.logDelta)).toBeGreaterThan(truth / 4);
    expect(Math.exp(guess.logDelta)).toBeLessThan(truth * 4);
  });

  it("serves an ε within a range about its mean, wider for more slack", () => {
    const saddle = saddleAt(steps, 0.25);
    const [tight, loose] = [rangeOfTilt(steps, saddle, 1), rangeOfTilt(steps, saddle, 8)];
    expect(tight.from).toBeLessThan(saddle.mean);
    expect(tight.to).toBeGreaterThan(saddle.mean);
    expect(loose.from).toBeLessThan(tight.from);
    expect(loose.to).toBeGreaterThan(tight.to);
    // A slack of s is about √(2s) deviations.
    expect(tight.to - saddle.mean).toBeGreaterThan(Math.SQRT2 * 0.8 * saddle.deviation);
    expect(tight.to - saddle.mean).toBeLessThan(Math.SQRT2 * 1.6 * saddle.deviation);
    expect(rangeOfTilt(steps, saddleAt(steps, 0), 1).from).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe("a window of sums", () => {
  it("of a normal law reaches to where its tail, tilted back, is as small as asked", () => {
    for (const [deviation, logTail, rate] of [
      [1, 18, 0],
      [2, 18, 0.5],
      [3, 30, 2],
    ] as const) {
      const x = normalReach(deviation)(logTail, rate);
      expect((x / deviation) ** 2 / 2 + rate * x).toBeCloseTo(logTail, 10);
    }
  });

  it("holds what is served, ends where the tail is small, and folds no less than its length", () => {
    const reach = normalReach(1);
    const needs = { ...{ mean: 0, deviation: 1, log: 0, margin: 1 }, reachAbove: reach, reachBelow: reach };
    const untilted = windowFor({ ...needs, tilt: 0, leakage: Math.exp(-18) });
    // Without a tilt: 6 deviations to either side, nothing folded.
    expect(untilted.above).toBeCloseTo(6, 12);
    expect(untilted.below).toBeCloseTo(6, 12);
    expect(untilted.period).toBeCloseTo(12, 12);
    const tilted = windowFor({ ...needs, tilt: 4, leakage: Math.exp(-18) });
    // Above: x²/2 + 4x = 18 + 4. Folded: from beyond ε + period, or e^{−4·period}.
    expect(tilted.above).toBeCloseTo(reach(22, 4), 12);
    expect(tilted.period).toBeCloseTo(Math.max(tilted.above + 1, 7, Math.min(tilted.above + 6, 22 / 4)), 12);
    expect(tilted.below).toBeCloseTo(tilted.period - tilted.above, 12);
    // What is served is held, however little may leak.
    expect(windowFor({ ...needs, tilt: 4, margin: 9, leakage: 0.5 }).above).toBeGreaterThanOrEqual(9);
  });
});
