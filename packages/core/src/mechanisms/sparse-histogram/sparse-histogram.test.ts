import { describe, expect, it } from "vitest";
import { refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import { enumerateNoise, type NoisePaths, pairOf } from "../../../../../testing/src/contracts/noise-paths.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import {
  compare,
  divide,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
  zero,
} from "../../numeric/rational.ts";
import { discreteLaplace } from "../../samplers/index.ts";
import { SeededSource } from "../../tape.ts";
import { approximate } from "../declared/approximate.ts";
import { laplaceErrorBound } from "../geometric/laplace-error-bound.ts";
import { laplaceThresholdDelta } from "../group-selection/laplace-threshold.ts";
import {
  releaseSparseHistogram,
  type SparseHistogramSetting,
  sparseHistogramErrorBound,
  sparseHistogramEvent,
  sparseHistogramFor,
  sparseHistogramWith,
} from "./sparse-histogram.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const setting = (over: Partial<SparseHistogramSetting> = {}): SparseHistogramSetting => ({
  adjacency: "add-or-remove-one",
  keys: 1n,
  scale: "1",
  threshold: 4n,
  ...over,
});

function law({ scale, threshold }: SparseHistogramSetting, units: readonly bigint[]): NoisePaths {
  const counts = units.map((count, i) => ({ key: [`key ${i}`], units: count }));
  return enumerateNoise((draw) => {
    const shown = sparseHistogramWith(threshold, counts, () => draw(parseRational(scale)));
    return shown.map(({ key, units: count }) => `${key[0]}: ${count}`).join(", ");
  }, 40);
}

function claimOf(each: SparseHistogramSetting): { epsilon: Rational; delta: Rational } {
  const { mixed } = approximate.losses(sparseHistogramEvent(each));
  return { epsilon: mixed!.epsilon, delta: mixed!.delta };
}

describe("the price", () => {
  it.each([
    ["a key appears", setting(), [1n], [0n]],
    ["a key grows", setting(), [1n, 5n], [1n, 4n]],
    ["two keys appear", setting({ keys: 2n, scale: "2" }), [1n, 1n], [0n, 0n]],
    ["one appears, one grows", setting({ keys: 2n }), [1n, 3n], [0n, 2n]],
    ["replaced", setting({ adjacency: "replace-one" }), [1n, 0n], [0n, 1n]],
    ["replaced among the present", setting({ adjacency: "replace-one" }), [3n, 4n], [4n, 3n]],
  ] as const)("holds over all paths: %s", (_name, each, p, q) => {
    const { epsilon, delta } = claimOf(each);
    const pair = pairOf(law(each, p), law(each, q));
    expect(refuted(pair, epsilon, delta)).toBe(false);
  });

  it("is attained, in ε and in δ, and mutants of it are refuted", () => {
    const each = setting();
    const { epsilon, delta } = claimOf(each);
    expect(epsilon).toEqual(one);
    const appears = pairOf(law(each, [1n]), law(each, [0n]));
    const grows = pairOf(law(each, [6n]), law(each, [7n]));
    expect(refuted(appears, epsilon, multiply(delta, ratio(999n, 1000n)))).toBe(true);
    expect(refuted(grows, ratio(9n, 10n), delta)).toBe(true);
    // The strict tail beside a comparison that keeps equality.
    const strict = laplaceThresholdDelta(one, each.threshold + 1n);
    expect(refuted(appears, epsilon, strict)).toBe(true);
    expect(refuted(pairOf(law(setting({ threshold: 3n }), [1n]), law(each, [0n])), epsilon, delta)).toBe(
      true,
    );
    const two = pairOf(law(each, [1n, 1n]), law(each, [0n, 0n]));
    expect(refuted(two, epsilon, delta)).toBe(true);
    const moved = pairOf(law(each, [5n, 5n]), law(each, [4n, 4n]));
    expect(refuted(moved, epsilon, delta)).toBe(true);
  });
});

describe("sparseHistogramFor", () => {
  it.each([
    ["add-or-remove-one", 1n, "1", "1e-6"],
    ["add-or-remove-one", 3n, "1/2", "1e-9"],
    ["replace-one", 2n, "2", "1e-3"],
  ] as const)("has the least threshold within (ε, δ): %s, %s keys", (adjacency, keys, e, d) => {
    const [epsilon, delta] = [parseRational(e), parseRational(d)];
    const each = sparseHistogramFor({ adjacency, keys, epsilon, delta });
    const claim = claimOf(each);
    expect(claim.epsilon).toEqual(epsilon);
    expect(compare(claim.delta, delta)).toBeLessThanOrEqual(0);
    expect(compare(claimOf({ ...each, threshold: each.threshold - 1n }).delta, delta)).toBe(1);
    expect(parseRational(each.scale)).toEqual(
      divide(ratio((adjacency === "replace-one" ? 2n : 1n) * keys), epsilon),
    );
  });

  it("prices a threshold so high that its δ is below any that a text can hold", () => {
    const { delta } = claimOf(setting({ threshold: 100_000n }));
    expect(delta).toEqual(ratio(1n, 1n << 3000n));
  });

  it("lies at the oracle's continuous threshold (laplace-threshold-1), rounded up", () => {
    // ε = ln 3, δ = 1e-10: 21.33 for real noise.
    const { threshold } = sparseHistogramFor({
      adjacency: "add-or-remove-one",
      keys: 1n,
      epsilon: parseRational("1.0986122886681098"),
      delta: parseRational("1e-10"),
    });
    expect(threshold).toBe(22n);
  });

  it.each([
    { epsilon: zero },
    { delta: zero },
    { delta: one },
    { delta: subtract(zero, one) },
    { keys: 0n },
    { adjacency: "x" as Adjacency },
  ])("refuses %o", (wrong) => {
    const right = { adjacency: "replace-one" as Adjacency, keys: 1n, epsilon: one, delta: ratio(1n, 9n) };
    expect(() => sparseHistogramFor({ ...right, ...wrong })).toThrow(invalid);
  });
  it.each([{ scale: "0" }, { scale: "x" }, { threshold: 0n }, { keys: 0n }])(
    "a release refuses %o",
    (wrong) => {
      expect(() => releaseSparseHistogram(setting(wrong), [], new SeededSource(1))).toThrow(invalid);
      expect(() => sparseHistogramEvent(setting(wrong))).toThrow(invalid);
    },
  );
});

describe("the release", () => {
  it("draws one noise a present key, in the order of keys, and shows the compared number", () => {
    const each = setting({ scale: "3", threshold: 6n });
    const [bits, coins] = [new SeededSource(4), new SeededSource(4)];
    const noise = discreteLaplace(ratio(3n));
    const counts = [
      { key: ["b"], units: 9n },
      { key: ["c"], units: 0n },
      { key: ["a"], units: 2n },
      { key: ["a"], units: 5n },
      { key: [null], units: Number.NaN as unknown as bigint },
    ];
    for (let round = 0; round < 40; round += 1) {
      const expected = [
        { key: ["a"], units: 7n + noise.sample(coins) },
        { key: ["b"], units: 9n + noise.sample(coins) },
      ].filter(({ units }) => units >= 6n);
      expect(releaseSparseHistogram(each, counts, bits)).toEqual(expected);
    }
  });

  it("shows a key from the threshold on, noise and all, and none without a unit", () => {
    const counts = [-1n, 0n, 1n, 3n, 4n].map((units) => ({ key: [`${units}`], units }));
    const shown = (draw: bigint): string[] =>
      sparseHistogramWith(4n, counts, () => draw).map(({ key, units }) => `${key[0]}: ${units}`);
    expect(shown(0n)).toEqual(["4: 4"]);
    expect(shown(1n)).toEqual(["3: 4", "4: 5"]);
    expect(shown(9n)).toEqual(["1: 10", "3: 12", "4: 13"]);
    expect(shown(-1n)).toEqual([]);
  });

  it("has the reach of its noise, whatever the threshold", () => {
    const alpha = ratio(1n, 20n);
    for (const scale of ["10", "1/3"])
      expect(sparseHistogramErrorBound(setting({ scale }), alpha)).toBe(
        laplaceErrorBound(parseRational(scale), alpha),
      );
    expect(() => sparseHistogramErrorBound(setting(), zero)).toThrow(invalid);
    expect(() => sparseHistogramErrorBound(setting({ scale: "-1" }), alpha)).toThrow(invalid);
  });

  it("misses as rarely as stated (false alarm below 1e-9)", () => {
    const each = setting({ scale: "4", threshold: 1n });
    const reach = sparseHistogramErrorBound(each, ratio(1n, 5n));
    const bits = new SeededSource(6);
    let [missed, narrow] = [0, 0];
    const draws = 20_000;
    for (let i = 0; i < draws; i += 1) {
      for (const { units } of releaseSparseHistogram(each, [{ key: [1n], units: 40n }], bits)) {
        const error = units > 40n ? units - 40n : 40n - units;
        missed += Number(error > reach);
        narrow += Number(error > reach - 1n);
      }
    }
    // ≤ 0.2 of 20,000: above 0.223 has probability below e^(−2·20000·0.023²) = 7e-10.
    expect(missed / draws).toBeLessThan(0.223);
    expect(narrow / draws).toBeGreaterThan(0.223);
  });
});
