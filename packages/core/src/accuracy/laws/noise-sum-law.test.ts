import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { parseRational, ratio } from "../../numeric/rational.ts";
import { averageIntervals } from "../intervals/average-interval.ts";
import { covarianceIntervals } from "../intervals/covariance-interval.ts";
import { varianceIntervals } from "../intervals/variance-interval.ts";
import { uniforms } from "../testing/simulated-noise.ts";
import { noiseLaw } from "./noise-laws.ts";
import { noiseQuantile } from "./noise-quantile.ts";
import { addedQuantile, addedUp, mixedNoise, quantileOfAdded } from "./noise-sum-law.ts";
import { quantileOfDraws } from "./quantile-of-draws.ts";

const laplace = (scale: string): Noise => ({ mechanism: "discrete-laplace@1", scale });
const rounded = (sigma: string): Noise => ({ mechanism: "rounded-gaussian@1", sigma });
const discrete = (sigmaSquared: string): Noise => ({ mechanism: "discrete-gaussian@1", sigmaSquared });

/** Masses of a symmetric law from −reach to reach. */
type Masses = Float64Array;

function massesOf(noise: Noise, reach: number): Masses {
  const law = noiseLaw(noise);
  return Float64Array.from({ length: 2 * reach + 1 }, (_, i) => law.mass(Math.abs(i - reach)));
}

function convolved(a: Masses, b: Masses): Masses {
  const sum = new Float64Array(a.length + b.length - 1);
  for (const [i, x] of a.entries()) for (const [j, y] of b.entries()) sum[i + j]! += x * y;
  return sum;
}

/** Returns the masses of the sum of so many draws, by convolution. */
function sumMasses(noise: Noise, draws: number): Masses {
  const law = noiseLaw(noise);
  const reach = Math.ceil(law.scale * (law.family === "laplace" ? 25 : 8)) + 2;
  let sum = massesOf(noise, reach);
  for (let k = 1; k < draws; k += 1) sum = convolved(sum, massesOf(noise, reach));
  return sum;
}

/** P[|S| > q], and the smallest q that keeps it below alpha. */
function beyond(masses: Masses, q: number): number {
  const middle = (masses.length - 1) / 2;
  return masses.reduce((total, mass, i) => (Math.abs(i - middle) > q ? total + mass : total), 0);
}

function smallest(masses: Masses, alpha: number): number {
  let q = 0;
  while (beyond(masses, q) > alpha) q += 1;
  return q;
}

describe("addedQuantile", () => {
  it.each([
    [laplace("1"), 2],
    [laplace("3"), 2],
    [laplace("3"), 7],
    [laplace("12.5"), 4],
    [rounded("3"), 2],
    [rounded("5.5"), 9],
    [rounded("1.2"), 4],
    [discrete("9"), 3],
    [discrete("40"), 6],
  ] as const)("%o, %i draws: holds, and is hardly above the smallest", (noise, draws) => {
    const masses = sumMasses(noise, draws);
    for (const alpha of ["0.5", "0.2", "0.05", "0.001"]) {
      const q = Number(addedQuantile(addedUp(noise, draws), parseRational(alpha)));
      expect(beyond(masses, q)).toBeLessThanOrEqual(Number(alpha));
      const loose = noiseLaw(noise).family === "gaussian" && noiseLaw(noise).scale < 3 ? 3 : 1;
      expect(q).toBeLessThanOrEqual(Math.ceil(1.03 * smallest(masses, Number(alpha))) + loose);
    }
  });
  it("would show a law told 20 % too small", () => {
    const q = Number(addedQuantile(addedUp(laplace("10"), 4), ratio(1n, 20n)));
    expect(beyond(sumMasses(laplace("12"), 4), q)).toBeGreaterThan(0.05);
  });
  it("is that of the noise itself for one draw, and 0 without noise", () => {
    expect(addedQuantile(addedUp(laplace("10"), 1), ratio(1n, 20n))).toBe(noiseQuantile(laplace("10"), 0.95));
    expect(addedQuantile(addedUp({ mechanism: "constant@1" }, 9), ratio(1n, 20n))).toBe(0n);
  });
  it("holds where alpha is smaller than any coupling's chance", () => {
    const q = addedQuantile(addedUp(rounded("2"), 1000), ratio(1n, 10n ** 12n));
    expect(Number(q)).toBeGreaterThan(7 * 2 * Math.sqrt(1000));
  });
  it.each([0, -1, 1.5, Number.NaN])("refuses %d draws", (draws) => {
    expect(() => addedUp(laplace("1"), draws)).toThrow(/draws/);
  });
});

describe("the noise of a total less released groups", () => {
  it.each([
    [laplace("8"), laplace("3"), 6],
    [laplace("2"), laplace("5"), 1],
    [rounded("9"), rounded("4"), 5],
    [discrete("30"), rounded("3.5"), 3],
    [rounded("1.5"), rounded("2"), 3],
    [laplace("4"), rounded("5"), 2],
  ] as const)("%o less %o, %i draws: holds, and is hardly above the smallest", (total, group, draws) => {
    const masses = convolved(sumMasses(total, 1), sumMasses(group, draws));
    const families = new Set([total, group].map((noise) => noiseLaw(noise).family));
    const isFine = families.has("gaussian") && [total, group].some((noise) => noiseLaw(noise).scale < 3);
    for (const alpha of ["0.5", "0.05", "0.001"]) {
      const mix = mixedNoise([
        { draws: 1, of: total },
        { draws, of: group },
      ]);
      const q = Number(addedQuantile(mix, parseRational(alpha)));
      expect(beyond(masses, q)).toBeLessThanOrEqual(Number(alpha));
      const slack = families.size > 1 ? 2.2 : 1.03;
      expect(q).toBeLessThanOrEqual(Math.ceil(slack * smallest(masses, Number(alpha))) + (isFine ? 4 : 2));
      const weighed = quantileOfAdded([mix], parseRational(alpha))([2]);
      expect(weighed).toBeGreaterThanOrEqual(2 * smallest(masses, Number(alpha)));
    }
  });
  it("is that of the total alone where nothing is taken from it, or what has no noise", () => {
    const alone = { draws: 1, of: laplace("8") };
    const without = { draws: 4, of: { mechanism: "constant@1" } } as const;
    const due = addedQuantile(laplace("8"), ratio(1n, 20n));
    expect(addedQuantile(mixedNoise([alone]), ratio(1n, 20n))).toBe(due);
    expect(addedQuantile(mixedNoise([alone, without]), ratio(1n, 20n))).toBe(due);
    expect(addedQuantile(mixedNoise([without, without]), ratio(1n, 20n))).toBe(0n);
    expect(() => mixedNoise([])).toThrow(/sums/);
  });
});

describe("quantileOfDraws", () => {
  it("of nothing, or at weight 0, is 0, and grows with the weight", () => {
    const quantile = quantileOfDraws([{ law: noiseLaw(laplace("5")), draws: 3 }], ratio(1n, 20n));
    expect(quantile([0])).toBe(0);
    expect(quantile([2])).toBeGreaterThan(quantile([1]));
    expect(quantile([-2])).toBe(quantile([2]));
  });
});

describe("quantileOfAdded", () => {
  it.each([
    [laplace("20"), laplace("2"), 3, [1, 5], 1.3],
    [rounded("12"), rounded("4"), 4, [1, 2.5], 1.3],
    [laplace("6"), rounded("4"), 3, [1, 1], 2.2],
  ] as const)("%o and %o: a weighted sum of sums of draws stays within", (a, b, draws, weights, slack) => {
    const [x, y] = [sumMasses(a, draws), sumMasses(b, draws)];
    const [m, n] = [(x.length - 1) / 2, (y.length - 1) / 2];
    for (const alpha of [0.2, 0.05]) {
      const q = quantileOfAdded(
        [addedUp(a, draws), addedUp(b, draws)],
        parseRational(String(alpha)),
      )([...weights]);
      const outside = (reach: number): number => {
        let total = 0;
        for (const [i, p] of x.entries())
          for (const [j, r] of y.entries())
            if (Math.abs(weights[0] * (i - m) + weights[1] * (j - n)) > reach) total += p * r;
        return total;
      };
      expect(outside(q)).toBeLessThanOrEqual(alpha);
      expect(outside(q / slack)).toBeGreaterThan(alpha);
    }
  });

  it("the interval of an average of many groups holds it, at the chance that is asked, over all draws", () => {
    const setting = {
      half: 10n,
      sumNoise: addedUp(laplace("6"), 4),
      countNoise: addedUp(laplace("1.5"), 4),
      confidence: 0.9,
    };
    const interval = averageIntervals(setting);
    const [sums, counts] = [sumMasses(laplace("6"), 4), sumMasses(laplace("1.5"), 4)];
    const [sum, count] = [60, 20];
    let covered = 0;
    for (let i = -100; i <= 100; i += 1) {
      for (let j = -25; j <= 25; j += 1) {
        const chance = sums[(sums.length - 1) / 2 + i]! * counts[(counts.length - 1) / 2 + j]!;
        const { lower, upper } = interval({ sum: BigInt(sum + i), count: BigInt(count + j) });
        if (lower <= sum / count && sum / count <= upper) covered += chance;
      }
    }
    expect(covered).toBeGreaterThan(0.9);
    expect(covered).toBeLessThan(0.97);
  });
});

describe("variances and covariances of totals", () => {
  const runs = 2000;
  // A right interval covers 1900 of 2000 on average; below 1840 (six standard deviations) with a chance under 1e-8.
  const alarm = 0.92;
  const draws = 5;
  const [squares, sum, other, products, count] = [300, 40, 30, 250, 4].map((scale) => laplace(String(scale)));

  /** The exact total and the noise of each of its groups. */
  function noisy(exact: number, noise: Noise, uniform: () => number): bigint {
    const { scale } = noiseLaw(noise);
    const geometric = (): number => Math.floor(-scale * Math.log(uniform()));
    let total = exact;
    for (let k = 0; k < draws; k += 1) total += geometric() - geometric();
    return BigInt(total);
  }

  function coverage(told: number): readonly [variance: number, covariance: number] {
    const uniform = uniforms(20261121);
    const added = (noise: Noise | undefined) => addedUp(noise!, told);
    const shared = { sumNoise: added(sum), countNoise: added(count), confidence: 0.95, population: true };
    const variances = varianceIntervals({ half: 10n, offset: 50n, squaresNoise: added(squares), ...shared });
    const covariances = covarianceIntervals({
      half: 10n,
      otherHalf: 8n,
      productsNoise: added(products),
      otherSumNoise: added(other),
      ...shared,
    });
    // 400 rows: of the first column the mean is 2 and the variance 30, of the second the mean is 1; the covariance is 6.
    let [first, both] = [0, 0];
    for (let run = 0; run < runs; run += 1) {
      const parts = { sum: noisy(800, sum!, uniform), count: noisy(400, count!, uniform) };
      const variance = variances({ ...parts, squares: noisy(400 * (30 + 4 - 50), squares!, uniform) });
      if (variance.lower <= 30 && 30 <= variance.upper) first += 1;
      const covariance = covariances({
        ...parts,
        otherSum: noisy(400, other!, uniform),
        products: noisy(400 * (6 + 2), products!, uniform),
      });
      if (covariance.lower <= 6 && 6 <= covariance.upper) both += 1;
    }
    return [first / runs, both / runs];
  }

  it("are held by their intervals, which would miss them were one draw told", () => {
    expect(Math.min(...coverage(draws))).toBeGreaterThan(alarm);
    expect(Math.max(...coverage(1))).toBeLessThan(alarm);
  });
});
