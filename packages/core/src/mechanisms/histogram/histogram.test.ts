import { describe, expect, it } from "vitest";
import { refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import { product } from "../../../../../testing/src/contracts/mechanism-hockey-stick.ts";
import {
  discreteLaplaceMass,
  roundedGaussianMass,
  shifted,
  upperTail,
} from "../../../../../testing/src/contracts/mechanism-masses.ts";
import type { Event } from "../../events/event.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import {
  compare,
  divide,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  toDouble,
  zero,
} from "../../numeric/rational.ts";
import { price } from "../../price.ts";
import { SeededSource } from "../../tape.ts";
import type { Noise } from "../noise.ts";
import { countSensitivity } from "./counted-units.ts";
import {
  type HistogramSetting,
  histogramErrorBound,
  histogramEvent,
  histogramFor,
  releaseHistogram,
} from "./histogram.ts";
import { noiseErrorBound } from "./noise-error-bound.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const pureOf = (event: Event): Rational => {
  const loss = price(event, { measure: "pure" });
  return (loss as { epsilon: Rational }).epsilon;
};
const laplace = (scale: string): Noise => ({ mechanism: "discrete-laplace@1", scale });

describe("the sensitivity", () => {
  /** All vectors of three cells with entries ≤ c that sum to at most m. */
  const vectors = (m: number, c: number, cells = 3): number[][] =>
    cells === 0
      ? [[]]
      : Array.from({ length: Math.min(m, c) + 1 }, (_, u) => u).flatMap((u) =>
          vectors(m - u, c, cells - 1).map((rest) => [u, ...rest]),
        );
  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [2, 2],
    [3, 2],
    [5, 3],
  ])("is the brute-force maximum: %i rows, %i in a cell", (rows, rowsPerCell) => {
    const all = vectors(rows, rowsPerCell);
    const none = [0, 0, 0];
    const worst = (others: readonly number[][]) => {
      let [l1, l2] = [0, 0];
      for (const u of all) {
        for (const v of others) {
          const moved = u.map((x, i) => Math.abs(x - v[i]!));
          l1 = Math.max(
            l1,
            moved.reduce((a, b) => a + b),
          );
          l2 = Math.max(
            l2,
            moved.reduce((a, b) => a + b * b, 0),
          );
        }
      }
      return { l1: BigInt(l1), l2Squared: BigInt(l2) };
    };
    const units = { rows: BigInt(rows), rowsPerCell: BigInt(rowsPerCell) };
    expect(countSensitivity({ ...units, adjacency: "add-or-remove-one" })).toEqual(worst([none]));
    const replaced = countSensitivity({ ...units, adjacency: "replace-one" });
    const found = worst(all);
    expect(replaced.l1 >= found.l1 && replaced.l2Squared >= found.l2Squared).toBe(true);
    // Three cells hold two whole units apart where each fits into one.
    if (rowsPerCell === rows) expect(replaced).toEqual(found);
  });
});

describe("the price", () => {
  it("is that of one count, where k counts cost k", () => {
    const setting = histogramFor({
      bins: 12,
      adjacency: "add-or-remove-one",
      budget: { epsilon: ratio(1n, 2n) },
    });
    expect(setting.noise).toEqual(laplace("2"));
    expect(pureOf(histogramEvent(setting))).toEqual(ratio(1n, 2n));
    const apart: Event = {
      kind: "repeat",
      version: 1,
      count: "12",
      event: histogramEvent({ ...setting, bins: 1 }),
    };
    expect(pureOf(apart)).toEqual(ratio(6n));
    const replaced = histogramFor({ bins: 12, adjacency: "replace-one", budget: { epsilon: ratio(1n, 2n) } });
    expect(replaced.noise).toEqual(laplace("4"));
    expect(pureOf(histogramEvent(replaced))).toEqual(ratio(1n, 2n));
  });

  it("holds on the law of two bins, in both adjacencies, and D's scale is refuted under replace-one", () => {
    const count = (scale: string, shift: bigint) =>
      shifted(discreteLaplaceMass(parseRational(scale)), shift, 25n);
    const paid = ratio(1n, 2n);
    expect(refuted(count("2", 1n), paid, zero)).toBe(false);
    // Replace: one bin loses a row, another gains it.
    const replaced = (scale: string) =>
      product(
        [count(scale, 1n), count(scale, -1n)].map((pair, i) =>
          i === 0 ? pair : { ...pair, outcomes: pair.outcomes.map(({ p, q }) => ({ p: q, q: p })) },
        ),
      );
    const gone = (scale: string) => product([count(scale, 1n), count(scale, 1n)]);
    for (const pair of [replaced, gone]) expect(refuted(pair("4"), paid, zero)).toBe(false);
    expect(refuted(gone("2"), paid, zero)).toBe(true);
  });

  it("meets a zCDP and an approximate budget with Gaussian noise, l2² = 1 or 2", () => {
    const rho = histogramFor({ bins: 9, adjacency: "add-or-remove-one", budget: { rho: ratio(1n, 2n) } });
    expect(rho.noise).toEqual({ mechanism: "rounded-gaussian@1", sigma: "1" });
    const both = histogramFor({
      bins: 9,
      adjacency: "replace-one",
      budget: { epsilon: one, delta: parseRational("1e-6") },
    });
    const event = histogramEvent(both);
    expect(event).toMatchObject({ kind: "rounded-gaussian", l2Squared: "2" });
    const loss = price(event, { measure: "approximate", delta: parseRational("1e-6") }) as {
      epsilon: Rational;
    };
    expect(compare(loss.epsilon, one)).toBeLessThanOrEqual(0);
  });
});

describe("the release", () => {
  const noises: Noise[] = [
    laplace("3"),
    { mechanism: "rounded-gaussian@1", sigma: "5/2" },
    { mechanism: "discrete-gaussian@1", sigmaSquared: "25/4" },
  ];

  it("is total: missing bins count as 0, surplus ones are left out", () => {
    const setting: HistogramSetting = {
      bins: 3,
      adjacency: "add-or-remove-one",
      noise: { mechanism: "discrete-laplace@1", scale: "1/1000" },
    };
    const odd = [5n, Number.NaN as unknown as bigint];
    expect(releaseHistogram(setting, odd, new SeededSource(1))).toEqual([5n, 0n, 0n]);
    expect(releaseHistogram(setting, [1n, 2n, 3n, 4n], new SeededSource(1))).toEqual([1n, 2n, 3n]);
  });

  it.each(noises)("covers as stated, alone and together (false alarm below 1e-9): $mechanism", (noise) => {
    const setting: HistogramSetting = { bins: 10, adjacency: "add-or-remove-one", noise };
    const alpha = ratio(1n, 5n);
    const [each, all] = [
      histogramErrorBound(setting, alpha),
      histogramErrorBound(setting, alpha, { simultaneous: true }),
    ];
    expect(all > each).toBe(true);
    const counts = Array.from({ length: 10 }, (_, i) => BigInt(100 * i));
    const bits = new SeededSource(9);
    const rounds = 2500;
    let [single, together, narrow] = [0, 0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const noisy = releaseHistogram(setting, counts, bits);
      const errors = noisy.map((value, i) => (value > counts[i]! ? value - counts[i]! : counts[i]! - value));
      single += errors.filter((error) => error > each).length;
      narrow += errors.filter((error) => error > each - 2n).length;
      together += Number(errors.some((error) => error > all));
    }
    // 25,000 draws at ≤ 0.2: above 0.2205 has probability below e^(−2·25000·0.0205²) = 8e-10; 2,500 at ≤ 0.2: above 0.265 below 7e-10.
    expect(single / (10 * rounds)).toBeLessThan(0.2205);
    expect(together / rounds).toBeLessThan(0.265);
    // The same reach with a spread two steps too small would be caught.
    expect(narrow / (10 * rounds)).toBeGreaterThan(0.2205);
  });

  it("has one reach for every bin, or all together at alpha over their number", () => {
    const alpha = ratio(1n, 5n);
    for (const noise of noises) {
      const setting: HistogramSetting = { bins: 7, adjacency: "replace-one", noise };
      expect(histogramErrorBound(setting, alpha)).toBe(noiseErrorBound(noise, alpha));
      expect(histogramErrorBound(setting, alpha, { simultaneous: false })).toBe(
        noiseErrorBound(noise, alpha),
      );
      expect(histogramErrorBound(setting, alpha, { simultaneous: true })).toBe(
        noiseErrorBound(noise, ratio(1n, 35n)),
      );
    }
  });

  it("is refused without noise, before the counts are read", () => {
    const still: HistogramSetting = {
      bins: 2,
      adjacency: "add-or-remove-one",
      noise: { mechanism: "constant@1" },
    };
    expect(() => releaseHistogram(still, [1n, 2n], new SeededSource(1))).toThrow(
      expect.objectContaining({ code: "internal.invariant" }),
    );
  });

  it("noiseErrorBound of Gaussians is at z·σ: half a step less where they are rounded", () => {
    // 2·Q(3.29053) = 1/1000, 2·Q(6.10941) = 1e-9, 2·Q(11.4640) ≈ 2e-30.
    for (const [alpha, rounded, discrete] of [
      ["1e-3", 329n, 330n],
      ["1e-9", 611n, 611n],
      ["2e-30", 1146n, 1147n],
      ["0.9", 13n, 13n],
    ] as const) {
      const found = [
        noiseErrorBound({ mechanism: "rounded-gaussian@1", sigma: "100" }, parseRational(alpha)),
        noiseErrorBound({ mechanism: "discrete-gaussian@1", sigmaSquared: "10000" }, parseRational(alpha)),
      ];
      expect(found, alpha).toEqual([rounded, discrete]);
    }
  });

  it("noiseErrorBound is the least where it says so", () => {
    const alpha = parseRational("1e-3");
    for (const [noise, mass] of [
      [noises[0]!, discreteLaplaceMass(ratio(3n))],
      [noises[1]!, roundedGaussianMass(parseRational("5/2"))],
    ] as const) {
      const reach = noiseErrorBound(noise, alpha);
      const beyond = (r: bigint) => upperTail(mass, r + 1n, 70n);
      expect(compare(multiply(ratio(2n), beyond(reach).hi), alpha)).toBeLessThanOrEqual(0);
      expect(compare(multiply(ratio(2n), beyond(reach - 1n).lo), alpha)).toBe(1);
    }
    expect(noiseErrorBound({ mechanism: "constant@1" }, alpha)).toBe(0n);
    const gaussian = noiseErrorBound(noises[1]!, alpha);
    expect([gaussian, gaussian + 1n]).toContain(noiseErrorBound(noises[2]!, alpha));
    expect(
      toDouble(divide(ratio(noiseErrorBound(laplace("1000000000"), alpha)), ratio(10n ** 9n)), "up"),
    ).toBeCloseTo(Math.log(1000), 6);
  });
});

describe("refusals", () => {
  const right = { bins: 3, adjacency: "replace-one" as Adjacency, budget: { epsilon: one } };
  it.each([
    { bins: 0 },
    { bins: Number.NaN },
    { bins: 1e9 },
    { bins: 2 ** 22 + 1 },
    { bins: 1.5 },
    { rows: 0n },
    { rows: 2n, rowsPerCell: 3n },
    { rowsPerCell: 0n },
    { adjacency: "none" as Adjacency },
    { budget: { epsilon: zero } },
    { budget: { rho: zero } },
  ])("%o", (wrong) => {
    expect(() => histogramFor({ ...right, ...wrong })).toThrow(invalid);
  });
  it("of more bins than 2^22, and not of one or of so many", () => {
    for (const bins of [1, 2 ** 22]) expect(histogramFor({ ...right, bins }).bins).toBe(bins);
    const { noise } = histogramFor(right);
    expect(() => histogramEvent({ bins: 0, adjacency: "replace-one", noise })).toThrow(invalid);
  });
  it("of an alpha and a noise", () => {
    const setting = histogramFor(right);
    expect(() => histogramErrorBound(setting, zero)).toThrow(invalid);
    expect(() => histogramErrorBound(setting, one, { simultaneous: true })).toThrow(invalid);
    expect(() => noiseErrorBound({ mechanism: "none@1" } as unknown as Noise, ratio(1n, 2n))).toThrow(
      invalid,
    );
    expect(() => noiseErrorBound(laplace("0"), ratio(1n, 2n))).toThrow(invalid);
  });
});
