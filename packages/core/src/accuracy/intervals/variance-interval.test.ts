import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { noiseLaw } from "../laws/noise-laws.ts";
import { shortest } from "../testing/shortest.ts";
import { draw, laplace, rounded, uniforms } from "../testing/simulated-noise.ts";
import {
  stddevInterval,
  stddevIntervals,
  type VarianceMeasured,
  type VarianceSetting,
  varianceInterval,
  varianceIntervals,
} from "./variance-interval.ts";

interface Truth {
  readonly squares: number;
  readonly sum: number;
  readonly count: number;
}

/** Q, S and C of values that are a share of `half` away from the middle. */
function truthOf(setting: VarianceSetting, shares: readonly number[]): Truth {
  const values = shares.map((share) => Math.round(share * Number(setting.half)));
  return {
    squares: values.reduce((total, x) => total + x * x - Number(setting.offset), 0),
    sum: values.reduce((total, x) => total + x, 0),
    count: values.length,
  };
}

function trueVariance({ squares, sum, count }: Truth, setting: VarianceSetting): number {
  const population = squares / count + Number(setting.offset) - (sum / count) ** 2;
  return setting.population ? population : (population * count) / (count - 1);
}

interface Simulated {
  readonly coverage: number;
  readonly width: number;
  readonly errors: number[];
}

function simulate(setting: VarianceSetting, truth: Truth, runs: number, inflate = 1): Simulated {
  const interval = varianceIntervals(setting);
  const uniform = uniforms(20240607);
  const variance = trueVariance(truth, setting);
  const noisy = (x: number, noise: Noise): bigint => BigInt(Math.round(x + inflate * draw(noise, uniform)));
  let covered = 0;
  let width = 0;
  const errors: number[] = [];
  for (let run = 0; run < runs; run++) {
    const measured: VarianceMeasured = {
      squares: noisy(truth.squares, setting.squaresNoise as Noise),
      sum: noisy(truth.sum, setting.sumNoise as Noise),
      count: noisy(truth.count, setting.countNoise as Noise),
    };
    const { value, lower, upper } = interval(measured);
    if (lower <= variance && variance <= upper) covered++;
    width += (upper - lower) / runs;
    errors.push(value - variance);
  }
  return { coverage: covered / runs, width, errors };
}

const half = 3000;
const population: VarianceSetting = {
  half: BigInt(half),
  offset: BigInt((half * half) / 2),
  squaresNoise: laplace((half * half * 3) / 2),
  sumNoise: laplace(half * 3),
  countNoise: laplace(3),
  population: true,
  confidence: 0.95,
};
const normal: VarianceSetting = {
  ...population,
  squaresNoise: rounded((half * half * 5) / 2),
  sumNoise: rounded(half * 5),
  countNoise: rounded(5),
};
const spread = [-0.9, -0.7, -0.65, -0.6, -0.5, -0.1];
const repeated = (shares: readonly number[], times: number): number[] =>
  Array.from({ length: times }, () => shares).flat();

describe("varianceIntervals", () => {
  it.each([
    [
      { half: 2n, offset: 2n, squaresNoise: laplace(1), sumNoise: laplace(1), countNoise: laplace(0.7) },
      [-1, 1, 1],
    ],
    [
      { half: 2n, offset: 2n, squaresNoise: laplace(1), sumNoise: laplace(1), countNoise: laplace(0.7) },
      [1, 1],
    ],
    [
      { half: 3n, offset: 4n, squaresNoise: rounded(3), sumNoise: rounded(1.5), countNoise: rounded(0.8) },
      repeated([-1, 0, 0.4], 10),
    ],
  ])("exact coverage over all draws, case %#", (noises, shares) => {
    for (const isPopulation of [true, false]) {
      const setting: VarianceSetting = { ...noises, population: isPopulation, confidence: 0.9 };
      const truth = truthOf(setting, shares);
      const variance = trueVariance(truth, setting);
      const interval = varianceIntervals(setting);
      const [squares, sums, counts] = [setting.squaresNoise, setting.sumNoise, setting.countNoise].map(
        (noise) => noiseLaw(noise as Noise),
      ) as [ReturnType<typeof noiseLaw>, ReturnType<typeof noiseLaw>, ReturnType<typeof noiseLaw>];
      const reach = (law: ReturnType<typeof noiseLaw>): number =>
        Math.ceil(law.scale * (law.family === "laplace" ? 7 : 3.5));
      let covered = 0;
      for (let i = -reach(squares); i <= reach(squares); i++) {
        for (let j = -reach(sums); j <= reach(sums); j++) {
          for (let k = -reach(counts); k <= reach(counts); k++) {
            const { lower, upper } = interval({
              squares: BigInt(truth.squares + i),
              sum: BigInt(truth.sum + j),
              count: BigInt(truth.count + k),
            });
            if (lower <= variance + 1e-12 && variance - 1e-12 <= upper) {
              covered += squares.mass(Math.abs(i)) * sums.mass(Math.abs(j)) * counts.mass(Math.abs(k));
            }
          }
        }
      }
      expect(covered).toBeGreaterThanOrEqual(0.9);
    }
  });

  // 10,000 draws: coverage 0.95 falls below 0.939 with a chance under 1e-6 (binomial tail; 5.05 standard deviations).
  const runs = 10_000;
  const alarm = 0.939;
  it.each([
    ["Laplace", population, 1],
    ["Laplace", population, 6],
    ["Laplace", population, 60],
    ["Laplace", population, 3000],
    ["normal", normal, 6],
    ["normal", normal, 300],
    ["normal", normal, 6000],
  ] as const)("%s noise covers, population and sample, group case %#", (_, setting, rows) => {
    const truth = truthOf(setting, rows === 1 ? [0.5] : repeated(spread, rows / 6));
    expect(simulate(setting, truth, runs).coverage).toBeGreaterThan(alarm);
    if (rows > 1)
      expect(simulate({ ...setting, population: false }, truth, runs).coverage).toBeGreaterThan(alarm);
  });
  it("would fail were the noise 20 % larger than told", () => {
    const truth = truthOf(population, repeated(spread, 2000));
    expect(simulate(population, truth, runs, 1.2).coverage).toBeLessThan(alarm);
  });
  it.each([
    ["Laplace", population],
    ["normal", normal],
  ] as const)("%s: at most 1.2 times the shortest valid interval where noise is small", (_, setting) => {
    for (const shares of [spread, [-1, -0.5, 0, 0.5, 1]]) {
      const { width, errors } = simulate(setting, truthOf(setting, repeated(shares, 1500)), runs);
      expect(width / shortest(errors, 0.95)).toBeLessThan(1.2);
    }
  });

  it("keeps to the public domain, holds its value; the standard deviation is its root", () => {
    const integer = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
    fc.assert(
      fc.property(
        integer,
        integer,
        fc.bigInt({ min: -30n, max: 3000n }),
        fc.boolean(),
        (squares, sum, count, isPopulation) => {
          const request = { ...population, population: isPopulation, squares, sum, count };
          const { value, lower, upper } = varianceInterval(request);
          const most = half * half * (isPopulation ? 1 : 2);
          expect(0 <= lower && lower <= value && value <= upper && upper <= most).toBe(true);
          expect(upper).toBeGreaterThan(lower);
          const root = stddevInterval(request);
          expect(stddevIntervals(request)(request)).toEqual(root);
          expect(root).toEqual({ value: Math.sqrt(value), lower: Math.sqrt(lower), upper: Math.sqrt(upper) });
        },
      ),
      { numRuns: 300 },
    );
  });
  it("says nothing where the noise drowns the count", () => {
    const measured = { squares: 10n, sum: -5n, count: 0n };
    expect(varianceInterval({ ...population, ...measured })).toMatchObject({ lower: 0, upper: half * half });
    expect(varianceInterval({ ...population, population: false, ...measured })).toMatchObject({
      lower: 0,
      upper: 2 * half * half,
    });
  });
});
