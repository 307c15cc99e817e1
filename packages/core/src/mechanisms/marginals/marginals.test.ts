import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { account } from "../../account.ts";
import type { Event } from "../../events/event.ts";
import {
  compare,
  multiply,
  parseRational,
  type Rational,
  ratio,
  subtract,
  sum,
  toDouble,
  zero,
} from "../../numeric/rational.ts";
import { type EnumeratedCoins, enumerateCoins, SeededSource } from "../../tape.ts";
import { roundedGaussian } from "../gaussian/rounded-gaussian.ts";
import { noiseSampler } from "../registry.ts";
import { boundedNoiseEvent, boundedNoiseFor, boundedSampler, boundedWeights } from "./bounded-noise.ts";
import {
  boundedFeatureTotalsFor,
  featureMeans,
  featureTotalsEvent,
  featureTotalsFor,
  releaseFeatureTotals,
} from "./feature-totals.ts";
import { maxNormEvent, maxNormNoiseFor, maxNormSampler, tryMaxNorm } from "./max-norm-noise.ts";
import { marginalsEvent, marginalsFor, releaseMarginals } from "./release-marginals.ts";
import {
  checkedWorkload,
  countMarginals,
  kWayMarginals,
  type MarginalWorkload,
  marginalSensitivity,
  tableSizes,
} from "./workload.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });

describe("workloads", () => {
  it("hold every choice of k attributes", () => {
    expect(kWayMarginals([2, 3, 4], 2)).toEqual({
      sizes: [2, 3, 4],
      marginals: [
        [0, 1],
        [0, 2],
        [1, 2],
      ],
    });
    expect(tableSizes(kWayMarginals([2, 3, 4], 2))).toEqual([6, 8, 12]);
    expect(kWayMarginals([2, 3, 4], 3).marginals).toEqual([[0, 1, 2]]);
    expect(kWayMarginals(new Array<number>(12).fill(2), 3).marginals).toHaveLength(220);
  });
  it("count each record in one cell of each table, the last attribute fastest", () => {
    const tables = countMarginals(kWayMarginals([2, 3], 2), [
      [0, 0],
      [1, 2],
      [1, 2],
    ]);
    expect(tables).toEqual([[1n, 0n, 0n, 0n, 0n, 2n]]);
  });
  it("count values outside their domain nowhere", () => {
    const tables = countMarginals(kWayMarginals([2, 2], 1), [[0, 7], [Number.NaN, 1], [0.5, -1], [1]]);
    expect(tables).toEqual([
      [1n, 1n],
      [0n, 1n],
    ]);
  });
  it.each([
    [[2, 2], 0],
    [[2, 2], 3],
    [[2, 2], Number.NaN],
    [[0, 2], 1],
    [[2.5], 1],
    [[2 ** 20, 2 ** 20], 2],
    [[], 1],
    [new Array<number>(60).fill(2), 30],
  ])("are refused for sizes %j, k = %s", (sizes, k) => {
    expect(() => kWayMarginals(sizes, k)).toThrow(invalid);
  });
  it.each([[[]], [[[]]], [[[1, 0]]], [[[0, 0]]], [[[2]]], [[[0.5]]]])(
    "are refused for marginals %j",
    (marginals) => {
      expect(() => checkedWorkload({ sizes: [2, 2], marginals })).toThrow(invalid);
    },
  );
});

describe("the sensitivity of a workload", () => {
  const workloads: readonly MarginalWorkload[] = [
    kWayMarginals([2, 3, 2], 1),
    kWayMarginals([2, 3, 2], 2),
    kWayMarginals([1, 2, 1], 1),
    { sizes: [2, 2], marginals: [[0], [1], [0, 1]] },
  ];
  it.each(workloads)("is what brute force over all records finds: %o", (workload) => {
    // Every value, and one outside of each domain.
    const records = workload.sizes.reduce<number[][]>(
      (all, size) => all.flatMap((r) => Array.from({ length: size + 1 }, (_, v) => [...r, v])),
      [[]],
    );
    const counted = records.map((record) => countMarginals(workload, [record]).flat());
    const size = (x: bigint): bigint => (x < 0n ? -x : x);
    const most = (pairs: readonly (readonly bigint[])[], norm: (x: bigint) => bigint): bigint =>
      pairs.map((d) => d.reduce((t, x) => t + norm(x), 0n)).reduce((a, b) => (a > b ? a : b));
    const replaced = counted.flatMap((a) => counted.map((b) => a.map((x, i) => x - b[i]!)));
    for (const [adjacency, moves] of [
      ["add-or-remove-one", counted],
      ["replace-one", replaced],
    ] as const) {
      const claimed = marginalSensitivity(workload, adjacency);
      expect(claimed.l1).toBe(most(moves, size));
      expect(claimed.l2Squared).toBe(most(moves, (x) => x * x));
    }
  });
  it("is refused for an unknown adjacency", () => {
    expect(() => marginalSensitivity(workloads[0]!, "some" as never)).toThrow(invalid);
  });
});

describe("a release of tables", () => {
  const workload = kWayMarginals([2, 3, 2], 2);
  const records = Array.from({ length: 30 }, (_, i) => [i % 2, i % 3, (i >> 1) % 2]);

  it("adds the priced noise to every cell", () => {
    const plan = marginalsFor(workload, "replace-one", { epsilon: ratio(1n, 2n) });
    expect(marginalsEvent(plan)).toEqual({ kind: "laplace", version: 1, scale: "12", l1: "6" });
    const released = releaseMarginals(plan, records, new SeededSource(5));
    const [sampler, coins] = [noiseSampler(plan.noise), new SeededSource(5)];
    const exact = countMarginals(workload, records);
    expect(released).toEqual(exact.map((table) => table.map((x) => x + sampler.sample(coins))));
  });
  it("is Gaussian for Gaussian budgets, at Δ₂ = √m", () => {
    const delta = parseRational("1e-6");
    const plan = marginalsFor(workload, "add-or-remove-one", { epsilon: ratio(1n), delta });
    expect(marginalsEvent(plan)).toMatchObject({ kind: "rounded-gaussian", l2Squared: "3" });
    const rho = marginalsFor(workload, "add-or-remove-one", { rho: ratio(3n, 8n) });
    expect(rho.noise).toEqual({ mechanism: "rounded-gaussian@1", sigma: "2" });
  });
  it("is refused without a positive budget", () => {
    expect(() => marginalsFor(workload, "replace-one", { epsilon: zero })).toThrow(invalid);
    expect(() => marginalsFor(workload, "replace-one", { rho: zero })).toThrow(invalid);
  });
});

/** One try at a = 1/4, from enumerated choices. */
function maxNormTry(coins: EnumeratedCoins, dimension: number): string {
  const drawn = tryMaxNorm(dimension, {
    geometric() {
      let g = 0n;
      while (coins.choose([3, 1]) === 1) g += 1n;
      return g;
    },
    chance: (num, den) => coins.choose([Number(num), Number(den - num)]) === 0,
    below: (n) => BigInt(coins.choose(new Array<number>(Number(n)).fill(1))),
  });
  return drawn === null ? "again" : drawn.join(",");
}

describe("max-norm noise", () => {
  const norm = (z: readonly number[]): number => Math.max(...z.map(Math.abs));
  const points = (dimension: number, reach: number): number[][] =>
    dimension === 0
      ? [[]]
      : points(dimension - 1, reach).flatMap((z) =>
          Array.from({ length: 2 * reach + 1 }, (_, i) => [...z, i - reach]),
        );

  // P[a try gives z] = Σ_{m ≥ ‖z‖} (1−a)^(d+1)·C(m+d, d)·aᵐ·Π(2m+1)/(2(m+i))/(2m+1)ᵈ = (1−a)ᵈ·a^‖z‖/(2ᵈ·d!).
  it.each([
    [1, 22, 1e-3],
    [2, 21, 1e-2],
  ])("has P[z] ∝ a^max|zᵢ| over all its coins, in %s dimensions", (dimension, depth, most) => {
    const { masses, residual } = enumerateCoins((coins) => maxNormTry(coins, dimension), depth);
    expect(toDouble(residual, "up")).toBeLessThan(most);
    const at = (z: readonly number[]): Rational => masses.get(z.join(",")) ?? zero;
    const front = dimension === 1 ? ratio(3n, 8n) : ratio(9n, 128n);
    for (const z of points(dimension, 2)) {
      const due = multiply(front, ratio(1n, 4n ** BigInt(norm(z))));
      expect(compare(at(z), due)).toBeLessThanOrEqual(0);
      expect(compare(sum([at(z), residual]), due)).toBeGreaterThanOrEqual(0);
    }
    // ε = ln 4 at max-norm distance 1, both directions: P[z] ≤ 4·P[z + 1…1].
    for (const z of points(dimension, 1)) {
      const moved = z.map((x) => x + 1);
      for (const [p, q] of [
        [at(z), at(moved)],
        [at(moved), at(z)],
      ] as const) {
        expect(compare(p, multiply(ratio(4n), sum([q, residual])))).toBeLessThanOrEqual(0);
      }
    }
    // And no smaller one, such as ln 3: seen between 0 and (1, …, 1) even if all that is undecided went there.
    const [origin, ones] = [new Array<number>(dimension).fill(0), new Array<number>(dimension).fill(1)];
    expect(compare(at(origin), multiply(ratio(3n), sum([at(ones), residual])))).toBe(1);
  });

  it("has log-ratios of at most the max-norm distance, attained, for its exact weights", () => {
    // Weights a^‖z‖∞ in exponents: no arithmetic but integers.
    const all = points(3, 4);
    for (const shift of points(3, 1)) {
      let most = Number.NEGATIVE_INFINITY;
      for (const y of all) {
        const moved = y.map((x, i) => x - shift[i]!);
        most = Math.max(most, norm(moved) - norm(y));
      }
      expect(most).toBe(norm(shift));
    }
  });

  it("costs exactly ε, and says so", () => {
    const noise = maxNormNoiseFor({ dimension: 7, linf: 3n, epsilon: parseRational("0.3") });
    expect(noise.scale).toBe("10");
    expect(maxNormEvent(noise, 3n)).toEqual({
      kind: "pure",
      version: 1,
      epsilon: "3/10",
      of: "max-norm-noise",
    });
    expect(maxNormEvent(noise, 0n)).toEqual({ kind: "constant", version: 1 });
    // The grid is fine enough for the sampler, and no part of the price.
    expect(10 * 2 ** noise.gridBits).toBeGreaterThanOrEqual(64 * 7);
  });

  // 4,000 draws; the mean of ‖Z‖∞ has deviation √d·s/√4000: 6 deviations are 4.2 % of the mean at d = 5, so a scale off by 10 %
  // is seen. False alarm 2e-9 each.
  it.each([1, 5, 40])("has mean largest error d·scale, %s dimensions", (dimension) => {
    const noise = maxNormNoiseFor({ dimension, linf: 50n, epsilon: ratio(1n) });
    const sampler = maxNormSampler(noise);
    const bits = new SeededSource(123);
    const runs = 4000;
    let [largest, first] = [0, 0];
    for (let run = 0; run < runs; run++) {
      const z = sampler.sample(bits).map(Number);
      largest += norm(z);
      first += Math.abs(z[0]!);
    }
    const deviation = 6 / Math.sqrt(dimension * runs);
    expect(Math.abs(largest / runs / (50 * dimension) - 1)).toBeLessThan(deviation + 0.01);
    // E|Z₁| = E[Gamma(d+1)]/2, Var ≤ E Z₁² = (d+1)(d+2)/3.
    expect(Math.abs(first / runs / (25 * (dimension + 1)) - 1)).toBeLessThan(
      6 * Math.sqrt(4 / 3 / runs) + 0.01,
    );
  });

  // A scale of one unit on a grid of finer steps: rounding a step the wrong way moves the mean by half a unit. Var Z₁ ≤ 2 + 1/4 and n = 4,000, so
  // 7 deviations are 0.166: false alarm 3e-12.
  it("is rounded to the nearest integer, so that its mean is 0", () => {
    const noise = maxNormNoiseFor({ dimension: 1, linf: 1n, epsilon: ratio(1n) });
    expect(noise.gridBits).toBeGreaterThan(0);
    const sampler = maxNormSampler(noise);
    const bits = new SeededSource(77);
    let sum = 0n;
    for (let run = 0; run < 4000; run++) sum += sampler.sample(bits)[0]!;
    expect(Math.abs(Number(sum) / 4000)).toBeLessThan(7 * Math.sqrt(2.25 / 4000));
  });

  it.each([
    { dimension: 0, linf: 1n, epsilon: ratio(1n) },
    { dimension: 1.5, linf: 1n, epsilon: ratio(1n) },
    { dimension: 2 ** 21, linf: 1n, epsilon: ratio(1n) },
    { dimension: 2, linf: 0n, epsilon: ratio(1n) },
    { dimension: 2, linf: 1n, epsilon: zero },
  ])("is refused for %o", (request) => {
    expect(() => maxNormNoiseFor(request)).toThrow(invalid);
  });
  it("is refused in forms that were tampered with", () => {
    const noise = maxNormNoiseFor({ dimension: 2, linf: 1n, epsilon: ratio(1n) });
    expect(() => maxNormSampler({ ...noise, scale: "0" })).toThrow(invalid);
    expect(() => maxNormSampler({ ...noise, gridBits: -1 })).toThrow(invalid);
    expect(() => maxNormSampler({ ...noise, dimension: 0 })).toThrow(invalid);
    expect(() => maxNormEvent(noise, -1n)).toThrow(invalid);
  });
});

describe("bounded noise", () => {
  const noise = { mechanism: "bounded@1", reach: 6, power: 3 } as const;
  const weights = boundedWeights(noise);
  const total = weights.reduce((a, b) => a + b, 0n);

  it("has integer weights, symmetric, log-concave and without gaps", () => {
    for (const each of [noise, { ...noise, reach: 40, power: 1 }, { ...noise, reach: 300, power: 16 }]) {
      const w = boundedWeights(each);
      expect(w).toHaveLength(2 * each.reach + 1);
      w.forEach((weight, i) => {
        expect(weight > 0n && weight === w.at(-1 - i)!).toBe(true);
        if (i > 0 && i < w.length - 1) expect(weight * weight >= w[i - 1]! * w[i + 1]!).toBe(true);
      });
    }
  });

  it("draws exactly these weights, over all its coins, and nothing beyond its reach", () => {
    const small = { mechanism: "bounded@1", reach: 2, power: 1 } as const;
    // Weights 5, 8, 9, 8, 5 of 35: the low six bits of a word, drawn again from 35 on. Only these bits are read.
    const sample = boundedSampler(small).sample;
    const sixBits = new Array<number>(64).fill(1);
    const { masses, residual } = enumerateCoins((coins) => sample({ word: () => coins.choose(sixBits) }), 12);
    const left = ratio(29n, 64n);
    expect(residual).toEqual(multiply(left, left));
    for (const [z, weight] of [
      [-2n, 5n],
      [-1n, 8n],
      [0n, 9n],
      [1n, 8n],
      [2n, 5n],
    ] as const) {
      expect(masses.get(z)).toEqual(multiply(ratio(weight, 35n), subtract(ratio(1n), residual)));
    }
    const sampler = boundedSampler(noise);
    const bits = new SeededSource(2);
    for (let i = 0; i < 2000; i++) {
      const z = sampler.sample(bits);
      expect(z >= -6n && z <= 6n).toBe(true);
    }
  });

  it("is recorded as the pair of its largest shift, once a coordinate", () => {
    const event = boundedNoiseEvent(noise, { coordinates: 9, shift: 2 });
    if (event.kind !== "repeat" || event.event.kind !== "finite-pair") throw new Error(event.kind);
    expect(event.count).toBe("9");
    const { p, q } = event.event;
    expect([p.length, q.length]).toEqual([15, 15]);
    weights.forEach((weight, i) => {
      expect(parseRational(p[i]!)).toEqual(ratio(weight, total));
      expect(parseRational(q[i + 2]!)).toEqual(ratio(weight, total));
    });
    expect(boundedNoiseEvent(noise, { coordinates: 9, shift: 0 })).toEqual({ kind: "constant", version: 1 });
  });

  /** Exact δ at e^ε = growth of x + Z against x′ + Z where coordinate i moves by shifts[i]. */
  const delta = (shifts: readonly number[], growth: Rational): Rational => {
    const at = (z: number): bigint => weights[z + 6] ?? 0n;
    const outcomes = shifts.reduce<readonly (readonly [bigint, bigint])[]>(
      (before, shift) =>
        before.flatMap(([a, b]) =>
          Array.from({ length: 21 }, (_, i) => [a * at(i - 10), b * at(i - 10 - shift)] as const),
        ),
      [[1n, 1n]],
    );
    const excess = outcomes
      .map(([a, b]) => a * growth.den - b * growth.num)
      .reduce((t, x) => (x > 0n ? t + x : t), 0n);
    return ratio(excess, growth.den * total ** BigInt(shifts.length));
  };

  it("costs no more for any smaller or mixed move than for the largest, in either direction: δ(ε) exactly", () => {
    for (const growth of [ratio(1n), ratio(5n, 4n), ratio(2n), ratio(10n)]) {
      const worst = delta([3, 3], growth);
      for (let a = -3; a <= 3; a++) {
        for (let b = -3; b <= 3; b++) expect(compare(delta([a, b], growth), worst)).toBeLessThanOrEqual(0);
      }
      expect(compare(delta([-3, 3], growth), worst)).toBe(0);
    }
    // One coordinate's worth would promise too much.
    expect(compare(delta([3], ratio(2n)), delta([3, 3], ratio(2n)))).toBe(-1);
  });

  it("is found as the shortest that an accountant lets pass, over all powers", () => {
    // An accountant that lets a standard deviation of 10 pass: Var ≥ 100.
    const asked: string[] = [];
    const variance = (event: unknown): number => {
      const { p } = (event as { event: { p: string[] } }).event;
      const reach = (p.length - 2) / 2;
      return p.reduce((t, text, i) => t + toDouble(parseRational(text), "up") * (i - reach) ** 2, 0);
    };
    const found = boundedNoiseFor({
      coordinates: 5,
      shift: 1,
      fits: (event) => {
        asked.push(event.kind);
        return variance(event) >= 100;
      },
    });
    // Var is about reach²/(2·power + 3): the smallest power reaches it first.
    expect(found.power).toBe(2);
    expect(found.reach).toBeGreaterThan(24);
    expect(found.reach).toBeLessThan(28);
    expect(asked.length).toBeLessThan(40);
    expect(() => boundedNoiseFor({ coordinates: 5, shift: 1, fits: () => false })).toThrow(invalid);
  });

  it("is found from any start: the least reach that passes, at the first power where none is shorter", () => {
    /** The reach of an event of shift s: its lists hold 2·reach + 1 + s masses. */
    const reachOf = (event: Event, shift: number): number => {
      if (event.kind !== "repeat" || event.event.kind !== "finite-pair") throw new TypeError(event.kind);
      return (event.event.p.length - 1 - shift) / 2;
    };
    for (const [shift, coordinates] of [
      [1, 1],
      [2, 3],
      [7, 1],
    ] as const) {
      const least = Math.ceil(shift / 2);
      for (const border of [least, least + 1, 15, 16, 17, 18, 31, 33, 55, 56, 57, 58, 90, 130]) {
        let asked = 0;
        const fits = (event: Event): boolean => {
          asked += 1;
          const reach = reachOf(event, shift);
          expect(reach).toBeGreaterThanOrEqual(least);
          return reach >= border;
        };
        const found = boundedNoiseFor({ coordinates, shift, fits });
        expect(found, `${shift} ${border}`).toEqual({ mechanism: "bounded@1", reach: border, power: 4 });
        expect(asked).toBeLessThan(60);
      }
    }
  });

  it("with an accountant of finite pairs is shorter than what 100 Gaussian errors stay within", () => {
    const asked: number[] = [];
    const found = boundedNoiseFor({
      coordinates: 100,
      shift: 1,
      fits: (event) => {
        const { upper } = account(event, { accuracy: 1e-2, representations: ["pld"] }).delta(1);
        asked.push(upper);
        return upper <= 1e-6;
      },
    });
    expect(asked.length).toBeLessThan(40);
    expect(found.power).toBe(5);
    expect(Math.abs(found.reach - 166)).toBeLessThanOrEqual(2);
    // At the same (1, 1e-6): 166 for certain, where one Gaussian of σ = √100·4.22 is beyond it once in 12,000 draws, and one of 100 once
    // in 120 releases.
    const gaussian = marginalsFor(kWayMarginals(new Array<number>(100).fill(2), 1), "add-or-remove-one", {
      epsilon: ratio(1n),
      delta: parseRational("1e-6"),
    });
    const sigma = toDouble(parseRational((gaussian.noise as { sigma: string }).sigma), "up");
    expect(found.reach / sigma).toBeLessThan(4);
  });

  it.each([
    { reach: 0, power: 1 },
    { reach: 4901, power: 1 },
    { reach: 1.5, power: 1 },
    { reach: 5, power: 0 },
    { reach: 5, power: 65 },
    { reach: Number.NaN, power: 1 },
  ])("is refused for %o", (shape) => {
    expect(() => boundedWeights({ mechanism: "bounded@1", ...shape })).toThrow(invalid);
  });
  it.each([
    { coordinates: 0, shift: 1 },
    { coordinates: 1, shift: -1 },
    { coordinates: 1, shift: 13 },
    { coordinates: Number.NaN, shift: 1 },
  ])("is refused for moves %o", (moves) => {
    expect(() => boundedNoiseEvent(noise, moves)).toThrow(invalid);
  });
});

describe("feature totals", () => {
  it("move by at most one cell-range a feature, whatever a unit holds", () => {
    const still = { features: 3, cells: 10, noise: { mechanism: "constant@1" } } as const;
    const unit = fc.array(fc.oneof(fc.double(), fc.double({ min: 0, max: 1 })), {
      minLength: 3,
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 4 }), unit, unit, (others, a, b) => {
        const at = (units: number[][]) => releaseFeatureTotals(still, units, new SeededSource(1));
        const [none, first, second] = [at(others), at([...others, a]), at([...others, b])];
        for (let j = 0; j < 3; j++) {
          for (const move of [first[j]! - none[j]!, first[j]! - second[j]!]) {
            expect(move >= -10n && move <= 10n).toBe(true);
          }
        }
      }),
      { seed: 31 },
    );
  });
  it("are the exact ones plus the priced noise", () => {
    const units = [
      [0.2, 0.96],
      [1, 0.5],
    ];
    const pure = featureTotalsFor({ features: 2, cells: 10 }, { epsilon: ratio(1n) });
    expect(featureTotalsEvent(pure)).toEqual({
      kind: "pure",
      version: 1,
      epsilon: "1",
      of: "max-norm-noise",
    });
    const drawn = maxNormSampler(pure.noise as never).sample(new SeededSource(8));
    expect(releaseFeatureTotals(pure, units, new SeededSource(8))).toEqual([
      12n + drawn[0]!,
      15n + drawn[1]!,
    ]);
    const gaussian = featureTotalsFor({ features: 2, cells: 10 }, { rho: ratio(1n, 2n) });
    const event = featureTotalsEvent(gaussian);
    expect(event).toMatchObject({ kind: "rounded-gaussian", l2Squared: "200" });
    expect(compare(roundedGaussian.losses(event as never).zcdp!.rho, ratio(1n, 2n))).toBeLessThanOrEqual(0);
  });
  it("are never off by more than the reach of bounded noise", () => {
    const plan = boundedFeatureTotalsFor({ features: 2, cells: 1 }, (event) => {
      const { p } = (event as unknown as { event: { p: readonly string[] } }).event;
      return p.length > 40;
    });
    const { reach } = plan.noise as { reach: number };
    expect(reach).toBe(20);
    expect(featureTotalsEvent(plan)).toMatchObject({ kind: "repeat", count: "2" });
    const bits = new SeededSource(6);
    const units = Array.from({ length: 50 }, () => [1, 0]);
    for (let run = 0; run < 200; run++) {
      const [first, second] = releaseFeatureTotals(plan, units, bits);
      expect(first! >= 30n && first! <= 70n && second! >= -20n && second! <= 20n).toBe(true);
    }
  });
  it("give means in [0, 1]", () => {
    const plan = featureTotalsFor({ features: 3, cells: 10 }, { epsilon: ratio(1n) });
    expect(featureMeans(plan, [-5n, 25n, 1000n], 10)).toEqual([0, 0.25, 1]);
    expect(() => featureMeans(plan, [1n], 0)).toThrow(invalid);
  });
  it.each([
    [0, 1],
    [1.5, 1],
    [1, 0],
    [1, Number.NaN],
    [1, 2 ** 31],
  ])("are refused for %s features, %s cells", (features, cells) => {
    expect(() => featureTotalsFor({ features, cells }, { epsilon: ratio(1n) })).toThrow(invalid);
  });
});
