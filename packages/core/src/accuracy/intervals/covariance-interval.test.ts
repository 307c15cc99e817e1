import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { noiseLaw } from "../laws/noise-laws.ts";
import { shortest } from "../testing/shortest.ts";
import { draw, laplace, rounded, uniforms } from "../testing/simulated-noise.ts";
import {
  type CovarianceMeasured,
  type CovarianceSetting,
  covarianceIntervals,
} from "./covariance-interval.ts";
import { covarianceHalfWidths } from "./half-widths.ts";

type Truth = Readonly<Record<keyof CovarianceMeasured, number>>;

/** P, S, T and C of pairs that are shares of both halves away from the middles. */
function truthOf(
  { half, otherHalf }: CovarianceSetting,
  pairs: readonly (readonly [number, number])[],
): Truth {
  const values = pairs.map(
    ([a, b]) => [Math.round(a * Number(half)), Math.round(b * Number(otherHalf))] as const,
  );
  const total = (of: (x: number, y: number) => number): number =>
    values.reduce((sum, [x, y]) => sum + of(x, y), 0);
  return {
    products: total((x, y) => x * y),
    sum: total((x) => x),
    otherSum: total((_, y) => y),
    count: values.length,
  };
}

function trueCovariance({ products, sum, otherSum, count }: Truth, setting: CovarianceSetting): number {
  const population = products / count - (sum / count) * (otherSum / count);
  return setting.population ? population : (population * count) / (count - 1);
}

function simulate(setting: CovarianceSetting, truth: Truth, runs: number, inflate = 1) {
  const interval = covarianceIntervals(setting);
  const uniform = uniforms(20241101);
  const covariance = trueCovariance(truth, setting);
  const noisy = (x: number, noise: Noise): bigint => BigInt(Math.round(x + inflate * draw(noise, uniform)));
  let [covered, width] = [0, 0];
  const errors: number[] = [];
  for (let run = 0; run < runs; run++) {
    const { value, lower, upper } = interval({
      products: noisy(truth.products, setting.productsNoise as Noise),
      sum: noisy(truth.sum, setting.sumNoise as Noise),
      otherSum: noisy(truth.otherSum, setting.otherSumNoise as Noise),
      count: noisy(truth.count, setting.countNoise as Noise),
    });
    if (lower <= covariance && covariance <= upper) covered++;
    width += (upper - lower) / runs;
    errors.push(value - covariance);
  }
  return { coverage: covered / runs, width, errors };
}

const [half, otherHalf] = [3000, 40];
const population: CovarianceSetting = {
  half: BigInt(half),
  otherHalf: BigInt(otherHalf),
  productsNoise: laplace(half * otherHalf * 3),
  sumNoise: laplace(half * 4),
  otherSumNoise: laplace(otherHalf * 4),
  countNoise: laplace(5),
  population: true,
  confidence: 0.95,
};
const normal: CovarianceSetting = {
  ...population,
  productsNoise: rounded(half * otherHalf * 4),
  sumNoise: rounded(half * 6),
  otherSumNoise: rounded(otherHalf * 6),
  countNoise: rounded(6),
};
const joint = [
  [-0.9, -0.5],
  [-0.7, -0.8],
  [0.1, 0.2],
  [0.4, -0.1],
  [0.8, 0.9],
] as const;
const skewed = joint.map(([a, b]) => [0.5 + a / 2, -0.6 + b / 3] as const);
const repeated = <T>(list: readonly T[], times: number): T[] =>
  Array.from({ length: times }, () => list).flat();

describe("covarianceIntervals", () => {
  it.each([
    [{ half: 1n, otherHalf: 2n }, [[-1, 1]] as const],
    [
      { half: 2n, otherHalf: 1n },
      [
        [1, 1],
        [-1, -1],
        [0.5, 1],
      ] as const,
    ],
  ])("exact coverage over all draws, case %#", (halves, pairs) => {
    for (const isPopulation of [true, false]) {
      if (!isPopulation && pairs.length < 2) continue;
      const setting: CovarianceSetting = {
        ...halves,
        productsNoise: laplace(0.9),
        sumNoise: laplace(0.6),
        otherSumNoise: laplace(0.6),
        countNoise: laplace(0.5),
        population: isPopulation,
        confidence: 0.9,
      };
      const truth = truthOf(setting, pairs);
      const covariance = trueCovariance(truth, setting);
      const interval = covarianceIntervals(setting);
      const parts = ["products", "sum", "otherSum", "count"] as const;
      const laws = parts.map((part) => noiseLaw(setting[`${part}Noise`] as Noise));
      const visit = (at: number, measured: Partial<Record<keyof CovarianceMeasured, bigint>>): number => {
        if (at === parts.length) {
          const { lower, upper } = interval(measured as CovarianceMeasured);
          return lower <= covariance + 1e-12 && covariance - 1e-12 <= upper ? 1 : 0;
        }
        const law = laws[at]!;
        const reach = Math.ceil(law.scale * 6);
        let covered = 0;
        for (let z = -reach; z <= reach; z++) {
          const noisy = BigInt(truth[parts[at]!] + z);
          covered += law.mass(Math.abs(z)) * visit(at + 1, { ...measured, [parts[at]!]: noisy });
        }
        return covered;
      };
      expect(visit(0, {})).toBeGreaterThanOrEqual(0.9);
    }
  });

  // Coverage 0.95 falls below each with a chance under 1e-6 (binomial tail): 5.05 and 5.4 standard deviations.
  const runs = 10_000;
  const alarm = 0.939;
  const fewer = { runs: 4_000, alarm: 0.9312 };
  it.each([
    ["Laplace", population, joint, 2],
    ["Laplace", population, joint, 20],
    ["Laplace", population, joint, 1000],
    ["Laplace", population, skewed, 100],
    ["normal", normal, joint, 20],
    ["normal", normal, skewed, 1000],
  ] as const)("%s noise covers, population and sample, group case %#", (_, setting, pairs, times) => {
    const truth = truthOf(setting, repeated<readonly [number, number]>(pairs, times));
    // Small groups take long.
    const drawn = times < 100 ? fewer : { runs, alarm };
    for (const of of [setting, { ...setting, population: false }])
      expect(simulate(of, truth, drawn.runs).coverage).toBeGreaterThan(drawn.alarm);
  });
  it("would fail were the noise 20 % larger than told", () => {
    const truth = truthOf(population, repeated<readonly [number, number]>(skewed, 2000));
    expect(simulate(population, truth, runs, 1.2).coverage).toBeLessThan(alarm);
  });
  it.each([
    ["Laplace", population],
    ["normal", normal],
  ] as const)("%s: at most 1.2 times the shortest valid interval where noise is small", (_, setting) => {
    for (const pairs of [joint, skewed]) {
      const truth = truthOf(setting, repeated<readonly [number, number]>(pairs, 2000));
      const { width, errors } = simulate(setting, truth, runs);
      expect(width / shortest(errors, 0.95)).toBeLessThan(1.2);
    }
  });

  it("keeps to the public domain and holds its value, whatever is measured", () => {
    const integer = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
    fc.assert(
      fc.property(
        integer,
        integer,
        integer,
        fc.bigInt({ min: -30n, max: 3000n }),
        fc.boolean(),
        (products, sum, otherSum, count, isPopulation) => {
          const setting = { ...population, population: isPopulation };
          const { value, lower, upper } = covarianceIntervals(setting)({ products, sum, otherSum, count });
          const most = half * otherHalf * (isPopulation ? 1 : 2);
          expect(-most <= lower && lower <= value && value <= upper && upper <= most).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });
  it("says nothing where the noise drowns the count, and narrows with the group", () => {
    const measured = { products: 10n, sum: -5n, otherSum: 3n, count: 0n };
    expect(covarianceIntervals(population)(measured)).toMatchObject({
      lower: -half * otherHalf,
      upper: half * otherHalf,
    });
    const widths = covarianceHalfWidths(population);
    for (const [few, many] of [
      [30, 300],
      [300, 30_000],
    ] as const)
      expect(widths(many).typical).toBeLessThan(widths(few).typical);
  });
});
