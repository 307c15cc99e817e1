import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { ratio } from "../../numeric/rational.ts";
import { laplaceCombinationQuantile } from "../laws/laplace-combination.ts";
import { noiseLaw } from "../laws/noise-laws.ts";
import { quantileOfSum } from "../laws/noise-sum-quantile.ts";
import { shortest } from "../testing/shortest.ts";
import { draw, laplace, rounded, uniforms } from "../testing/simulated-noise.ts";
import {
  type CorrelationMeasured,
  type CorrelationSetting,
  correlationIntervals,
} from "./correlation-interval.ts";
import { interceptIntervals } from "./intercept-interval.ts";
import { slopeIntervals } from "./slope-interval.ts";

const [half, otherHalf] = [3000, 40];
const [offset, otherOffset] = [half ** 2 / 2, otherHalf ** 2 / 2];
const steep: CorrelationSetting = {
  ...{ half: BigInt(half), otherHalf: BigInt(otherHalf) },
  ...{ offset: BigInt(offset), otherOffset: BigInt(otherOffset) },
  productsNoise: laplace(half * otherHalf * 5),
  sumNoise: laplace(half * 6),
  otherSumNoise: laplace(otherHalf * 6),
  squaresNoise: laplace(offset * 6),
  otherSquaresNoise: laplace(otherOffset * 6),
  countNoise: laplace(9),
  confidence: 0.95,
};
const mixed: CorrelationSetting = {
  ...steep,
  ...{ productsNoise: rounded(half * otherHalf * 6), squaresNoise: rounded(offset * 7) },
};
/** Shares of both halves away from the middles. */
const joint = [
  [-0.9, -0.5],
  [-0.7, -0.8],
  [0.1, 0.2],
  [0.4, -0.1],
  [0.8, 0.9],
] as const;
const shapes = {
  joint,
  skewed: joint.map(([a, b]) => [0.5 + a / 2, -0.6 + b / 3] as const),
  line: joint.map(([a]) => [a, 0.2 - 0.7 * a] as const),
  flat: joint.map(([a], at) => [a, at % 2 === 0 ? 0.3 : -0.3] as const),
};

type Truth = Readonly<Record<keyof CorrelationMeasured, number>>;

function truthOf(shape: keyof typeof shapes, times: number): Truth {
  const values = shapes[shape].map(([a, b]) => [Math.round(a * half), Math.round(b * otherHalf)] as const);
  const total = (of: (x: number, y: number) => number): number =>
    times * values.reduce((sum, [x, y]) => sum + of(x, y), 0);
  return {
    products: total((x, y) => x * y),
    sum: total((x) => x),
    otherSum: total((_, y) => y),
    squares: total((x) => x * x - offset),
    otherSquares: total((_, y) => y * y - otherOffset),
    count: times * values.length,
  };
}

function spreads({ products, sum, otherSum, squares, otherSquares, count }: Truth) {
  return {
    covariance: products / count - (sum / count) * (otherSum / count),
    mean: sum / count,
    other: otherSum / count,
    variance: squares / count + offset - (sum / count) ** 2,
    otherVariance: otherSquares / count + otherOffset - (otherSum / count) ** 2,
  };
}

const mid = BigInt(half);

type Answer = {
  readonly intervals: (
    setting: CorrelationSetting,
  ) => (measured: CorrelationMeasured) => { readonly lower: number; readonly upper: number } | null;
  readonly value: (of: ReturnType<typeof spreads>) => number;
};
const answers: Readonly<Record<"slope" | "intercept" | "correlation", Answer>> = {
  slope: { intervals: slopeIntervals, value: ({ covariance, variance }) => covariance / variance },
  intercept: {
    intervals: (setting) => interceptIntervals({ ...setting, mid }),
    value: ({ covariance, variance, mean, other }) => other - (covariance / variance) * (mean + Number(mid)),
  },
  correlation: {
    intervals: correlationIntervals,
    value: ({ covariance, variance, otherVariance }) => covariance / Math.sqrt(variance * otherVariance),
  },
};

/** `known`: the share of draws that have an interval, which alone count for the width. */
function simulate(name: keyof typeof answers, setting: CorrelationSetting, truth: Truth, inflate = 1) {
  const { intervals, value } = answers[name];
  const interval = intervals(setting);
  const exact = value(spreads(truth));
  const uniform = uniforms(20261122);
  const names = Object.keys(truth) as (keyof Truth)[];
  let [covered, known, width] = [0, 0, 0];
  const errors: number[] = [];
  for (let run = 0; run < runs; run++) {
    const noisy = Object.fromEntries(
      names.map((each) => [
        each,
        Math.round(truth[each] + inflate * draw(setting[`${each}Noise`] as Noise, uniform)),
      ]),
    ) as Truth;
    const range = interval(
      Object.fromEntries(names.map((each) => [each, BigInt(noisy[each])])) as unknown as CorrelationMeasured,
    );
    errors.push(value(spreads(noisy)) - exact);
    if (range) {
      known++;
      width += range.upper - range.lower;
    }
    if (range === null || (range.lower <= exact + 1e-12 && exact - 1e-12 <= range.upper)) covered++;
  }
  return { coverage: covered / runs, known: known / runs, width: width / known, errors };
}

// 2,500 draws: coverage 0.95 falls below 0.926 with a chance under 1e-6 (binomial tail; 5.3 standard deviations).
const runs = 2500;
const alarm = 0.926;

describe.each(["slope", "intercept", "correlation"] as const)("%s", (name) => {
  it.each([
    ["Laplace", steep, "joint", 10],
    ["Laplace", steep, "joint", 100],
    ["Laplace", steep, "line", 300],
    ["mixed", mixed, "skewed", 100],
  ] as const)("%s noise covers: case %#", (_, setting, shape, times) => {
    const { coverage, known } = simulate(name, setting, truthOf(shape, times));
    expect(coverage).toBeGreaterThan(alarm);
    if (times >= 300) expect(known).toBeGreaterThan(0.9);
  });
  it("would fail were the noise a quarter larger than told", () => {
    expect(simulate(name, steep, truthOf("joint", 4000), 1.25).coverage).toBeLessThan(alarm);
  });
  it.each([
    ["Laplace", steep],
    ["mixed", mixed],
  ] as const)("%s: at most 1.2 times the shortest valid interval where noise is small", (_, setting) => {
    const { width, errors } = simulate(name, setting, truthOf("skewed", 4000));
    expect(width / shortest(errors, 0.95)).toBeLessThan(1.2);
  });
});

it("whatever is measured, a correlation keeps within ±1, and the noise may drown either", () => {
  const [slopes, correlations] = [slopeIntervals(steep), correlationIntervals(steep)];
  const intercepts = interceptIntervals({ ...steep, mid });
  const uniform = uniforms(5);
  const any = (most: number): bigint => BigInt(Math.round((2 * uniform() - 1) * most));
  for (let run = 0; run < 300; run++) {
    const measured = {
      ...{ products: any(1e10), sum: any(1e7), otherSum: any(1e5), count: any(3000) },
      ...{ squares: any(1e11), otherSquares: any(1e7) },
    };
    const { lower, upper } = correlations(measured);
    expect(-1 <= lower && lower <= upper && upper <= 1).toBe(true);
    for (const found of [slopes(measured), intercepts(measured)])
      if (found) expect(found.lower <= found.upper && Number.isFinite(found.upper - found.lower)).toBe(true);
  }
  const nothing = { products: 0n, sum: 0n, otherSum: 0n, squares: 0n, otherSquares: 0n, count: 0n };
  expect([slopes(nothing), intercepts(nothing)]).toEqual([null, null]);
  expect(correlations(nothing)).toEqual({ lower: -1, upper: 1 });
});

it("six noises: never below the law's own quantile, and little above it", () => {
  for (const scales of [
    [1, 1, 1, 1, 1, 1],
    [40, 40, 20, 20, 10, 10],
    [100, 99, 98, 60, 30, 9],
  ]) {
    const laws = scales.map((scale) => ({ ...noiseLaw(laplace(scale * 1000)) }));
    const found = quantileOfSum(laws, ratio(1n, 20n))(scales.map(() => 1));
    const terms = scales.map((scale) => ({ scale: scale * 1000, count: 1 }));
    const exact = laplaceCombinationQuantile(terms, 1 / 40);
    expect(found / exact).toBeGreaterThan(1 - 2e-4);
    expect(found / exact).toBeLessThan(1.05);
  }
});
it("noises one by one where the level is too small for doubles", () => {
  const laws = [50, 40, 30, 20, 10].map((scale) => noiseLaw(laplace(scale)));
  const found = quantileOfSum(laws, ratio(1n, 10n ** 8n))([1, 1, 1, 1, 1]);
  const exact = laplaceCombinationQuantile(
    [50, 40, 30, 20, 10].map((scale) => ({ scale, count: 1 })),
    1e-8 / 2,
  );
  expect(found).toBeGreaterThan(exact);
  expect(found).toBeLessThan(4 * exact);
});
