import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { noiseLaw } from "../laws/noise-laws.ts";
import { shortest } from "../testing/shortest.ts";
import { draw, laplace, rounded, uniforms } from "../testing/simulated-noise.ts";
import { type LinearSetting, linearIntervals } from "./linear-interval.ts";
import { type RatioSetting, ratioIntervals } from "./ratio-interval.ts";

/** Every noise within reach, with its chance: what lies beyond counts as missed. */
function* outcomes(
  noises: readonly Noise[],
): Iterable<{ readonly draws: bigint[]; readonly chance: number }> {
  const [first, ...rest] = noises;
  if (!first) {
    yield { draws: [], chance: 1 };
    return;
  }
  const law = noiseLaw(first);
  const reach = Math.ceil(law.scale * (law.family === "laplace" ? 12 : 5));
  for (let z = -reach; z <= reach; z++)
    for (const { draws, chance } of outcomes(rest))
      yield { draws: [BigInt(z), ...draws], chance: chance * law.mass(Math.abs(z)) };
}

interface Simulated {
  readonly coverage: number;
  readonly width: number;
  readonly known: number;
  readonly errors: readonly number[];
}

type Interval = (totals: readonly bigint[]) => { readonly lower: number; readonly upper: number } | null;

function simulate(
  noises: readonly Noise[],
  interval: Interval,
  totals: readonly number[],
  value: (totals: readonly number[]) => number,
  inflate = 1,
): Simulated {
  const uniform = uniforms(20240917);
  const truth = value(totals);
  let [covered, width, known] = [0, 0, 0];
  const errors: number[] = [];
  for (let run = 0; run < runs; run++) {
    const noisy = totals.map((total, at) => Math.round(total + inflate * draw(noises[at]!, uniform)));
    const found = interval(noisy.map(BigInt));
    errors.push(value(noisy) - truth);
    if (found === null) {
      covered++;
      continue;
    }
    known++;
    width += found.upper - found.lower;
    if (found.lower <= truth && truth <= found.upper) covered++;
  }
  return { coverage: covered / runs, width: width / known, known: known / runs, errors };
}

// 10,000 draws: coverage 0.95 falls below 0.939 with a chance under 1e-6 (binomial tail; 5.05 standard deviations).
const runs = 10_000;
const alarm = 0.939;

describe("linearIntervals", () => {
  it.each([
    [[laplace(1.2), laplace(0.7)], [1, -1], 0],
    [[laplace(0.5), rounded(2)], [3, 0.25], 7],
    [[rounded(0.8), rounded(0.6), laplace(0.4)], [1, 1, -2], 0],
  ] as const)("exact coverage over all draws, case %#", (noises, weights, constant) => {
    for (const confidence of [0.6, 0.9, 0.975]) {
      const interval = linearIntervals({ noises, weights, constant, confidence });
      const totals = weights.map((_, at) => BigInt(10 * at + 3));
      const truth = weights.reduce<number>((sum, weight, at) => sum + weight * Number(totals[at]!), constant);
      let covered = 0;
      for (const { draws, chance } of outcomes(noises)) {
        const { lower, upper } = interval(draws.map((z, at) => z + totals[at]!));
        if (lower <= truth && truth <= upper) covered += chance;
      }
      expect(covered).toBeGreaterThanOrEqual(confidence);
    }
  });

  const difference: LinearSetting = {
    noises: [laplace(4), laplace(6)],
    weights: [1, -1],
    constant: 0,
    confidence: 0.95,
  };
  const minus = ([a, b]: readonly number[]): number => a! - b!;

  it.each([
    ["Laplace", difference],
    ["normal", { ...difference, noises: [rounded(5), rounded(9)] }],
  ] as const)("%s: covers, and is hardly wider than the shortest interval", (_, setting) => {
    const { coverage, width, errors } = simulate(
      setting.noises as readonly Noise[],
      linearIntervals(setting),
      [900, 400],
      minus,
    );
    expect(coverage).toBeGreaterThan(alarm);
    expect(width / shortest(errors, 0.95)).toBeLessThan(1.1);
  });
  it("would fail were the noise 20 % larger than told", () => {
    expect(
      simulate(difference.noises as readonly Noise[], linearIntervals(difference), [900, 400], minus, 1.2)
        .coverage,
    ).toBeLessThan(alarm);
  });
  it("keeps to what is possible, and never looks certain where luck contradicts it", () => {
    const interval = linearIntervals({ ...difference, weights: [1, 1], atLeast: 0 });
    expect(interval([2n, 1n])).toMatchObject({ value: 3, lower: 0 });
    const { lower, upper } = interval([-4000n, 1n]);
    expect(lower).toBe(0);
    expect(upper).toBeGreaterThan(10);
  });
  it("is exact without noise, and refuses what it cannot sum", () => {
    const none: Noise = { mechanism: "constant@1" };
    const exact = linearIntervals({ noises: [none, none], weights: [2, 3], constant: 1, confidence: 0.95 });
    expect(exact([4n, 5n])).toEqual({ value: 24, lower: 24, upper: 24 });
    for (const weights of [[1], [1, Number.NaN], [1, Number.POSITIVE_INFINITY]])
      expect(() => linearIntervals({ ...difference, weights })).toThrow(/weight/);
    const five = Array.from({ length: 5 }, () => laplace(1));
    expect(() => linearIntervals({ ...difference, noises: five, weights: [1, 1, 1, 1, 1] })).toThrow(
      /noises/,
    );
  });
});

describe("ratioIntervals", () => {
  const plain = (noises: readonly Noise[], confidence = 0.95): RatioSetting => ({
    noises,
    numerator: { constant: 0, weights: [1, 0] },
    denominator: { constant: 0, weights: [0, 1] },
    confidence,
  });
  const ratio = ([a, b]: readonly number[]): number => a! / b!;

  it.each([
    [[laplace(2), laplace(0.8)], 30n, 9n],
    [[laplace(2), laplace(0.8)], -30n, 1n],
    [[laplace(2), laplace(0.8)], 0n, 4n],
    [[rounded(3), laplace(1.1)], 5n, -12n],
    [[laplace(0.6), rounded(2.5)], 4000n, 7n],
  ] as const)(
    "exact coverage over all draws, case %#: where no range is known, all is",
    (noises, above, below) => {
      for (const confidence of [0.6, 0.9]) {
        const interval = ratioIntervals(plain(noises, confidence));
        const truth = Number(above) / Number(below);
        let covered = 0;
        for (const { draws, chance } of outcomes(noises)) {
          const found = interval([above + draws[0]!, below + draws[1]!]);
          if (found === null || (found.lower <= truth && truth <= found.upper)) covered += chance;
        }
        expect(covered).toBeGreaterThanOrEqual(confidence);
      }
    },
  );

  it.each([
    ["Laplace", [laplace(300), laplace(5)], [20_000, 800]],
    ["Laplace, a small group", [laplace(300), laplace(5)], [900, 30]],
    ["Laplace, far from 0", [laplace(5), laplace(5)], [50_000, 90]],
    ["normal", [rounded(300), rounded(5)], [20_000, 800]],
    ["a proportion", [laplace(4), laplace(5)], [200, 700]],
    ["a negative ratio", [laplace(300), laplace(5)], [-20_000, 800]],
  ] as const)("%s: covers", (_, noises, totals) => {
    const { coverage } = simulate(noises, ratioIntervals(plain(noises)), totals, ratio);
    expect(coverage).toBeGreaterThan(alarm);
  });
  it.each([
    [
      [laplace(300), laplace(5)],
      [20_000, 2000],
    ],
    [
      [rounded(300), rounded(5)],
      [20_000, 2000],
    ],
    [
      [laplace(4), laplace(5)],
      [200, 1700],
    ],
  ] as const)(
    "at most 1.1 times the shortest valid interval where noise is small, case %#",
    (noises, totals) => {
      const { width, errors } = simulate(noises, ratioIntervals(plain(noises)), totals, ratio);
      expect(width / shortest(errors, 0.95)).toBeLessThan(1.1);
    },
  );
  it("would fail were the noise 20 % larger than told", () => {
    const noises = [laplace(300), laplace(5)];
    const found = simulate(noises, ratioIntervals(plain(noises)), [20_000, 800], ratio, 1.2);
    expect(found.coverage).toBeLessThan(alarm);
  });
  it("knows nothing where the noise drowns the denominator, and is exact without noise", () => {
    const interval = ratioIntervals(plain([laplace(300), laplace(5)]));
    for (const below of [0n, 3n, -9n]) expect(interval([1000n, below])).toBeNull();
    const none: Noise = { mechanism: "constant@1" };
    const { lower, upper } = ratioIntervals(plain([none, none]))([3n, 4n])!;
    expect(lower).toBeCloseTo(0.75, 10);
    expect(upper).toBeCloseTo(0.75, 10);
    expect(lower).toBeLessThanOrEqual(0.75);
    expect(upper).toBeGreaterThanOrEqual(0.75);
    expect(ratioIntervals(plain([none, none]))([3n, 0n])).toBeNull();
  });
  it("ends, and gives numbers in order, for any totals", () => {
    const interval = ratioIntervals(plain([laplace(300), laplace(5)]));
    for (const above of [0n, 1n, -1n, 1n << 60n, -(1n << 100n)])
      for (const below of [0n, 20n, -20n, 1n << 60n, 1n << 100n]) {
        const found = interval([above, below]);
        if (found) expect(found.lower).toBeLessThanOrEqual(found.upper);
      }
  });
  it("of a total above and below is that of their difference: (a + b)/b is 1 more than a/b, and a/a is 1", () => {
    const setting = plain([laplace(60), laplace(2)]);
    const apart = ratioIntervals({
      ...setting,
      numerator: { constant: 0, weights: [1, 0] },
      denominator: { constant: 0, weights: [0, 1] },
    });
    const shared = ratioIntervals({
      ...setting,
      numerator: { constant: 0, weights: [1, 1] },
      denominator: { constant: 0, weights: [0, 1] },
    });
    for (const totals of [
      [2063n, 99n],
      [-500n, 60n],
      [-9000n, 4000n],
    ]) {
      const [a, b] = [apart(totals)!, shared(totals)!];
      const width = a.upper - a.lower;
      expect(b.lower).toBeCloseTo(a.lower + 1, 1);
      expect(Math.abs(b.lower - 1 - a.lower)).toBeLessThan(0.05 * width + 0.02);
      expect(Math.abs(b.upper - 1 - a.upper)).toBeLessThan(0.05 * width + 0.02);
    }
    const same = ratioIntervals({
      ...setting,
      numerator: { constant: 0, weights: [0, 2] },
      denominator: { constant: 0, weights: [0, 1] },
    })([0n, 5000n])!;
    expect(same.lower).toBeLessThanOrEqual(2);
    expect(same.upper).toBeGreaterThanOrEqual(2);
    expect(same.upper - same.lower).toBeLessThan(0.001);
  });
});
