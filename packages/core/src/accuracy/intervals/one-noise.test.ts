import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { noiseQuantile } from "../laws/noise-quantile.ts";
import { laplace } from "../testing/simulated-noise.ts";
import { averageIntervals } from "./average-interval.ts";
import { correlationIntervals } from "./correlation-interval.ts";
import { covarianceIntervals } from "./covariance-interval.ts";
import { interceptIntervals } from "./intercept-interval.ts";
import { slopeIntervals } from "./slope-interval.ts";
import { stddevIntervals, varianceIntervals } from "./variance-interval.ts";

/*
 * Where one measurement alone is noisy, an interval has a closed form: the measurement's own quantile, times how fast the answer
 * moves with that measurement.
 */

const [half, otherHalf, mid, rows] = [3000, 40, 500, 1_000_000];
const [offset, otherOffset] = [half ** 2 / 2, otherHalf ** 2 / 2];
const confidence = 0.95;
const still: Noise = { mechanism: "constant@1" };
const shape = [
  [-0.4, -0.77],
  [0.1, -0.5],
  [0.55, -0.2],
  [0.7, -0.63],
  [0.9, -0.3],
].map(([a, b]) => [a! * half, b! * otherHalf] as const);

type Totals = Readonly<
  Record<"products" | "sum" | "otherSum" | "squares" | "otherSquares" | "count", number>
>;
/** The totals of all rows, mirrored where a sign is −1. */
function totalsOf(xSign: number, ySign: number): Totals {
  const total = (of: (x: number, y: number) => number): number =>
    Math.round((rows / shape.length) * shape.reduce((sum, [x, y]) => sum + of(xSign * x, ySign * y), 0));
  return {
    products: total((x, y) => x * y),
    sum: total((x) => x),
    otherSum: total((_, y) => y),
    squares: total((x) => x * x - offset),
    otherSquares: total((_, y) => y * y - otherOffset),
    count: rows,
  };
}
/** The most that one row adds: noise of a ten-thousandth of all rows. */
const units: Totals = {
  products: half * otherHalf,
  sum: half,
  otherSum: otherHalf,
  squares: half ** 2,
  otherSquares: otherHalf ** 2,
  count: 1,
};
const noiseOf = (name: keyof Totals): Noise => laplace((units[name] * rows) / 10_000);

const covariance = ({ products, sum, otherSum, count }: Totals): number =>
  products / count - (sum / count) * (otherSum / count);
const variance = ({ squares, sum, count }: Totals): number => squares / count + offset - (sum / count) ** 2;
const otherVariance = ({ otherSquares, otherSum, count }: Totals): number =>
  otherSquares / count + otherOffset - (otherSum / count) ** 2;

type Interval = { readonly lower: number; readonly upper: number } | null;
interface Answer {
  readonly value: (totals: Totals) => number;
  readonly reads: readonly (keyof Totals)[];
  /** Each takes the fields that it knows. */
  readonly intervals: (setting: never) => (measured: never) => Interval;
}
const answers: Readonly<Record<string, Answer>> = {
  average: { value: ({ sum, count }) => sum / count, reads: ["sum", "count"], intervals: averageIntervals },
  variance: { value: variance, reads: ["squares", "sum", "count"], intervals: varianceIntervals },
  "standard deviation": {
    value: (totals) => Math.sqrt(variance(totals)),
    reads: ["squares", "sum", "count"],
    intervals: stddevIntervals,
  },
  covariance: {
    value: covariance,
    reads: ["products", "sum", "otherSum", "count"],
    intervals: covarianceIntervals,
  },
  slope: {
    value: (totals) => covariance(totals) / variance(totals),
    reads: ["products", "squares", "sum", "otherSum", "count"],
    intervals: slopeIntervals,
  },
  intercept: {
    value: (totals) =>
      totals.otherSum / totals.count -
      (covariance(totals) / variance(totals)) * (totals.sum / totals.count + mid),
    reads: ["products", "squares", "sum", "otherSum", "count"],
    intervals: interceptIntervals,
  },
  correlation: {
    value: (totals) => covariance(totals) / Math.sqrt(variance(totals) * otherVariance(totals)),
    reads: ["products", "squares", "otherSquares", "sum", "otherSum", "count"],
    intervals: correlationIntervals,
  },
};

const measured = (totals: Totals): Readonly<Record<keyof Totals, bigint>> =>
  Object.fromEntries(Object.entries(totals).map(([name, x]) => [name, BigInt(x)])) as never;

function intervalWith(answer: Answer, noisy: keyof Totals | null): (totals: Totals) => Interval {
  const noises = Object.fromEntries(
    Object.keys(units).map((name) => [
      `${name}Noise`,
      name === noisy ? noiseOf(name as keyof Totals) : still,
    ]),
  );
  const setting = {
    ...{ half: BigInt(half), otherHalf: BigInt(otherHalf), mid: BigInt(mid) },
    ...{ offset: BigInt(offset), otherOffset: BigInt(otherOffset), population: true, confidence },
    ...noises,
  };
  const interval = answer.intervals(setting as never);
  return (totals) => interval(measured(totals) as never);
}

const signs = [
  [1, 1],
  [-1, 1],
  [1, -1],
] as const;

describe.each(Object.entries(answers))("the interval of a %s", (_, answer) => {
  it.each(answer.reads)("is its quantile times the answer's rate where only its %s is noisy", (name) => {
    const interval = intervalWith(answer, name);
    const q = Number(noiseQuantile(noiseOf(name), confidence));
    for (const [xSign, ySign] of signs) {
      const truth = totalsOf(xSign, ySign);
      const moved = (by: number): Totals => ({ ...truth, [name]: truth[name] + by });
      const exact = answer.value(truth);
      const due = Math.abs(answer.value(moved(q)) - answer.value(moved(-q))) / 2;
      const { lower, upper } = interval(truth)!;
      for (const reach of [exact - lower, upper - exact]) {
        expect(reach / due).toBeGreaterThan(1 - 1e-5);
        // What is set aside for the nuisances, and weights on a grid.
        expect(reach / due).toBeLessThan(1.08);
      }
      // The answer is held for all noise up to the quantile, and hardly more.
      for (const by of [q, -q]) {
        const found = interval(moved(by))!;
        const ends = [exact - found.lower, found.upper - exact].map((x) => x / due);
        expect(Math.min(...ends)).toBeGreaterThan(-1e-9);
        expect(Math.min(...ends)).toBeLessThan(0.08);
        expect(Math.max(...ends)).toBeLessThan(2.08);
      }
    }
  });

  it("is the answer itself without noise", () => {
    for (const [xSign, ySign] of signs) {
      const truth = totalsOf(xSign, ySign);
      const exact = answer.value(truth);
      const { lower, upper } = intervalWith(answer, null)(truth)!;
      expect(lower).toBeLessThanOrEqual(exact + 1e-12 * Math.abs(exact));
      expect(upper).toBeGreaterThanOrEqual(exact - 1e-12 * Math.abs(exact));
      expect(upper - lower).toBeLessThan(1e-11 * Math.abs(exact));
    }
  });
});

describe("what has no slope", () => {
  const none = { products: 0, sum: 0, otherSum: 0, squares: 0, otherSquares: 0, count: 0 };
  const alike = { ...none, sum: 30, otherSum: 40, products: 120, squares: 9 * 10 - 50 * 10, count: 10 };
  const withNoise = (noise: Noise): unknown => ({
    ...{ half: 10n, otherHalf: 10n, mid: 0n, offset: 50n, otherOffset: 50n, confidence },
    ...Object.fromEntries(Object.keys(units).map((name) => [`${name}Noise`, noise])),
  });
  it.each([
    ["no rows", none],
    ["fewer rows than none", { ...none, count: -5 }],
    ["rows that are all alike", alike],
  ])("is told as nothing, and a correlation as anything: %s", (_, totals) => {
    for (const noise of [still, laplace(2)]) {
      const setting = withNoise(noise) as never;
      expect(slopeIntervals(setting)(measured(totals))).toBeNull();
      expect(interceptIntervals(setting)(measured(totals))).toBeNull();
      expect(correlationIntervals(setting)(measured(totals))).toEqual({ lower: -1, upper: 1 });
    }
  });
  it("is told as nothing where the totals contradict every mean", () => {
    const setting = withNoise(still) as never;
    for (const wrong of [{ sum: 1000 }, { otherSum: -1000 }]) {
      const totals = measured({ ...alike, squares: 0, ...wrong });
      expect(slopeIntervals(setting)(totals)).toBeNull();
      expect(interceptIntervals(setting)(totals)).toBeNull();
      expect(correlationIntervals(setting)(totals)).toEqual({ lower: -1, upper: 1 });
    }
  });
});

describe("the interval of a sample's spread", () => {
  const few = { squares: 150, sum: 20, count: 10 };
  const setting = {
    ...{ half: 10n, offset: 50n, confidence, population: false },
    ...{ squaresNoise: still, sumNoise: still, countNoise: still },
  };
  // Σ d² = 150 + 10·50 = 650, less 20²/10: 610 over 9.
  it("is Σ (x − mean)²/(n − 1) without noise, and its root", () => {
    const [variances, deviations] = [varianceIntervals(setting), stddevIntervals(setting)];
    const found = variances(measured(few as Totals));
    for (const x of [found.value, found.lower, found.upper]) expect(x).toBeCloseTo(610 / 9, 9);
    const deviation = deviations(measured(few as Totals));
    for (const x of [deviation.value, deviation.lower, deviation.upper])
      expect(x).toBeCloseTo(Math.sqrt(610 / 9), 9);
    // One row counts as two: a sample of one has no spread to tell.
    const one = variances({ squares: -50n, sum: 0n, count: 1n });
    expect(one.value).toBeCloseTo(0, 9);
  });
  it("stretches by n/(n − 1) at the least and the most that n may be", () => {
    const countNoise = laplace(1);
    const sample = varianceIntervals({ ...setting, countNoise })(measured(few as Totals));
    const all = varianceIntervals({ ...setting, countNoise, population: true })(measured(few as Totals));
    // At least the 95 % quantile of the count, 3, is in doubt.
    expect(sample.upper / all.upper).toBeGreaterThan(7 / 6);
    expect(sample.lower).toBeLessThanOrEqual(all.lower * (13 / 12));
    expect(sample.lower).toBeGreaterThanOrEqual(all.lower * 0.99);
  });
});
