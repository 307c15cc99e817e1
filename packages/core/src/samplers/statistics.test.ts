import { describe, expect, test } from "vitest";
import { normalTailBracket } from "../numeric/bracket.ts";
import { fromDouble, multiply, parseRational, type Rational, toDouble } from "../numeric/rational.ts";
import { SeededSource } from "../tape.ts";
import { discreteGaussian } from "./discrete-gaussian.ts";
import { discreteLaplace } from "./discrete-laplace.ts";
import { roundedGaussian } from "./rounded-gaussian.ts";
import type { Sampler } from "./sampler.ts";

/** P[Z ≤ z] for integers z. */
type Distribution = (z: number) => number;

function laplace(scale: number): Distribution {
  const a = Math.exp(-1 / scale);
  return (z) => (z < 0 ? Math.exp(z / scale) / (1 + a) : 1 - Math.exp(-(z + 1) / scale) / (1 + a));
}
function gaussian(sigma: number): Distribution {
  return (z) => 1 - toDouble(normalTailBracket(fromDouble((z + 0.5) / sigma), 60).hi, "up");
}
function discrete(sigma: number): Distribution {
  const reach = Math.ceil(12 * sigma) + 2;
  const cumulative: number[] = [];
  let total = 0;
  for (let z = -reach; z <= reach; z++) {
    total += Math.exp((-z * z) / (2 * sigma * sigma));
    cumulative.push(total);
  }
  return (z) => (z < -reach ? 0 : cumulative[Math.min(z + reach, 2 * reach)]! / total);
}

/** Edges that split the law into about 24 parts of like probability. */
function edges(law: Distribution, scale: number): number[] {
  const found: number[] = [];
  for (let part = 1; part < 24; part++) {
    let [lo, hi] = [-Math.ceil(60 * scale) - 60, Math.ceil(60 * scale) + 60];
    while (hi - lo > 1) {
      const middle = Math.floor((lo + hi) / 2);
      if (law(middle) < part / 24) lo = middle;
      else hi = middle;
    }
    if (found.at(-1) !== hi && law(hi) < 1 - 1e-3) found.push(hi);
  }
  return found;
}

function shares(cuts: readonly number[], law: Distribution): number[] {
  const at = [0, ...cuts.map(law), 1];
  return at.slice(1).map((p, i) => p - at[i]!);
}

/** The point that a χ² of so many degrees of freedom passes with probability below 1e-7 (Wilson & Hilferty 1931, z = 5.3). */
function limit(freedom: number): number {
  const spread = 2 / (9 * freedom);
  return freedom * (1 - spread + 5.3 * Math.sqrt(spread)) ** 3;
}

const draws = 100_000;

function draw(sampler: Sampler): Float64Array {
  const out = new Float64Array(draws);
  sampler.fill(out, new SeededSource(20_240_601));
  return out;
}

function chiSquare(sample: Float64Array, cuts: readonly number[], law: Distribution): number {
  const counts = new Array<number>(cuts.length + 1).fill(0);
  for (const z of sample) {
    let bin = 0;
    while (bin < cuts.length && z > cuts[bin]!) bin++;
    counts[bin]! += 1;
  }
  return shares(cuts, law).reduce((sum, p, i) => sum + (counts[i]! - draws * p) ** 2 / (draws * p), 0);
}

const laws: Record<
  string,
  { make: (x: Rational) => Sampler; law: (x: number) => Distribution; scales: string[] }
> = {
  discreteLaplace: { make: discreteLaplace, law: laplace, scales: ["1/3", "1", "10", "1000", "1e6", "1e11"] },
  roundedGaussian: {
    make: roundedGaussian,
    law: gaussian,
    scales: ["1/2", "1", "10", "1000", "1e6", "1e11"],
  },
  discreteGaussian: {
    make: (sigma) => discreteGaussian(multiply(sigma, sigma)),
    law: discrete,
    scales: ["1/2", "1", "10", "1000"],
  },
};

describe("χ² against the stated law: 1e5 draws, false alarm below 1e-7 a test", () => {
  for (const [name, { make, law, scales }] of Object.entries(laws)) {
    test.each(scales)(`${name}(%s), and the same test refuses scales 10 % off`, (text) => {
      const scale = toDouble(parseRational(text), "up");
      const truth = law(scale);
      const cuts = edges(truth, scale);
      const sample = draw(make(parseRational(text)));
      expect(chiSquare(sample, cuts, truth)).toBeLessThan(limit(cuts.length));
      for (const factor of [0.9, 1.1]) {
        const wrong = law(scale * factor);
        // Power: a sampler of the wrong scale gives a noncentral χ² of mean freedom + noncentrality and deviation about
        // √(2·(freedom + 2·noncentrality)); it passes with probability below 1e-6 when that is 5 deviations above the limit.
        const p = shares(cuts, truth);
        const noncentrality = shares(cuts, wrong).reduce(
          (sum, q, i) => sum + (draws * (q - p[i]!) ** 2) / p[i]!,
          0,
        );
        const mean = cuts.length + noncentrality;
        expect(mean - 5 * Math.sqrt(2 * (cuts.length + 2 * noncentrality))).toBeGreaterThan(
          limit(cuts.length),
        );
        expect(chiSquare(sample, cuts, wrong)).toBeGreaterThan(limit(cuts.length));
      }
    });
  }
});

describe("moments within 6 standard errors (false alarm below 1e-8)", () => {
  const variances: Record<string, (scale: number) => { variance: number; kurtosis: number }> = {
    discreteLaplace: (b) => {
      const a = Math.exp(-1 / b);
      return { variance: (2 * a) / (1 - a) ** 2, kurtosis: 6 };
    },
    roundedGaussian: (s) => ({ variance: s * s + 1 / 12, kurtosis: 3 }),
    discreteGaussian: (s) => ({ variance: s * s, kurtosis: 3 }),
  };
  for (const [name, { make }] of Object.entries(laws)) {
    test.each(["10", "1000"])(`${name}(%s)`, (text) => {
      const { variance, kurtosis } = variances[name]!(Number(text));
      const sample = draw(make(parseRational(text)));
      const mean = sample.reduce((sum, z) => sum + z, 0) / draws;
      const square = sample.reduce((sum, z) => sum + z * z, 0) / draws;
      expect(Math.abs(mean)).toBeLessThan(6 * Math.sqrt(variance / draws));
      expect(Math.abs(square / variance - 1)).toBeLessThan(6 * Math.sqrt((kurtosis - 1) / draws));
    });
  }
});
