import { describe, expect, it } from "vitest";
import { one, parseRational, ratio, zero } from "../numeric/rational.ts";
import { SeededSource } from "../tape.ts";
import { gaussianFor } from "./gaussian/gaussian-for.ts";
import { laplaceErrorBound, laplaceErrorBoundAbove, laplaceTail } from "./geometric/laplace-error-bound.ts";
import { checkRange, clampTo } from "./geometric/public-range.ts";
import { countSensitivity } from "./histogram/counted-units.ts";
import { noiseErrorBound } from "./histogram/noise-error-bound.ts";
import { laplaceFor } from "./laplace/laplace-for.ts";
import { chargeable, checkOption, checkOptions } from "./local-frequencies/chances.ts";
import { maxNormEvent, maxNormNoiseFor, maxNormSampler } from "./marginals/max-norm-noise.ts";
import { checkedWorkload, kWayMarginals, marginalSensitivity } from "./marginals/workload.ts";
import type { Noise } from "./noise.ts";
import { distribution, integer, notNegative, positive, probability } from "./parameters.ts";
import { utilityLoss } from "./scores/utility-loss.ts";
import {
  sparseVectorErrorBound,
  sparseVectorFor,
  sparseVectorScales,
} from "./sparse-vector/sparse-vector-setting.ts";
import { type ClipSet, clip, sensitivityOfClipped } from "./vector-noise/clip.ts";
import {
  boundOnGrid,
  quantize,
  quantizeVector,
  squaredBoundOnGrid,
  widenedSquaredBound,
} from "./vector-noise/quantize.ts";

/* Pinned values of what mechanisms are made with, and both ends of what each accepts. */

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const half = ratio(1n, 2n);
const [inf, nan] = [Number.POSITIVE_INFINITY, Number.NaN];
const refuses = (...attempts: readonly (() => unknown)[]): void => {
  for (const attempt of attempts) expect(attempt, String(attempt)).toThrow(invalid);
};

describe("parameters in texts", () => {
  it.each([
    ["positive", positive, ["1e-300", "2"], ["0", "-1e-300"]],
    ["notNegative", notNegative, ["0", "1"], ["-1e-300"]],
    ["probability", probability, ["0", "1", "1/2"], ["-1e-300", "1.0000001"]],
    ["integer", (text: string, name: string) => integer(text, name, 3n), ["3", "4"], ["2", "7/2", "-3"]],
  ] as const)("%s", (_, read, taken, refused) => {
    for (const text of taken) expect(() => read(text, "x"), text).not.toThrow();
    for (const text of refused) expect(() => read(text, "x"), text).toThrow(invalid);
  });
  it("are a distribution where they sum to 1", () => {
    expect(distribution(["1/3", "2/3", "0"], "p")).toEqual([ratio(1n, 3n), ratio(2n, 3n), zero]);
    refuses(
      () => distribution(["1/3", "1/3"], "p"),
      () => distribution(["2", "-1"], "p"),
      () => distribution([], "p"),
    );
  });
});

describe("noise for a budget", () => {
  it("is Δ₁/ε, or Δ₂/√(2ρ) rounded up, and none where nothing moves", () => {
    expect(laplaceFor({ l1: 3n, epsilon: half })).toEqual({ mechanism: "discrete-laplace@1", scale: "6" });
    expect(laplaceFor({ l1: 0n, epsilon: half })).toEqual({ mechanism: "constant@1" });
    expect(gaussianFor({ l2Squared: 9n, rho: half })).toEqual({
      mechanism: "rounded-gaussian@1",
      sigma: "3",
    });
    expect(gaussianFor({ l2Squared: 9n, muSquared: ratio(4n) })).toEqual({
      ...{ mechanism: "rounded-gaussian@1", sigma: "3/2" },
    });
    expect(gaussianFor({ l2Squared: 0n, rho: half })).toEqual({ mechanism: "constant@1" });
  });
  it("is refused for no budget and a negative sensitivity", () => {
    refuses(
      () => laplaceFor({ l1: -1n, epsilon: half }),
      () => laplaceFor({ l1: 1n, epsilon: zero }),
      () => laplaceFor({ l1: 0n, epsilon: zero }),
      () => laplaceFor({ l1: 1n, epsilon: ratio(-1n) }),
      () => gaussianFor({ l2Squared: -1n, rho: half }),
      () => gaussianFor({ l2Squared: 1n, rho: zero }),
      () => gaussianFor({ l2Squared: 1n, muSquared: zero }),
      () => gaussianFor({ l2Squared: 1n, muSquared: ratio(-1n) }),
    );
  });
});

describe("the reach of noise", () => {
  it("is the least that the tail allows", () => {
    // P[Z ≥ k] = a^k/(1 + a), a = e^(−1/2).
    const a = Math.exp(-1 / 2);
    for (const k of [0n, 1n, 9n]) {
      const { num, den } = laplaceTail(ratio(2n), k);
      expect(Number((num * 10n ** 15n) / den) / 1e15).toBeCloseTo(a ** Number(k) / (1 + a), 12);
    }
    for (const [alpha, above, around] of [
      ["1/2", 0n, 1n],
      ["1/10", 3n, 5n],
      ["1/1000", 12n, 14n],
    ] as const) {
      expect(laplaceErrorBoundAbove(ratio(2n), parseRational(alpha))).toBe(above);
      expect(laplaceErrorBound(ratio(2n), parseRational(alpha))).toBe(around);
    }
  });
  it.each<[Noise, string, bigint]>([
    [{ mechanism: "constant@1" }, "1/20", 0n],
    [{ mechanism: "rounded-gaussian@1", sigma: "10" }, "1/20", 20n],
    [{ mechanism: "rounded-gaussian@1", sigma: "10" }, "1/1000", 33n],
    [{ mechanism: "discrete-gaussian@1", sigmaSquared: "100" }, "1/20", 20n],
  ])("of %o at %s is %i", (noise, alpha, reach) => {
    expect(noiseErrorBound(noise, parseRational(alpha))).toBe(reach);
  });
  it("is not told at an alpha outside (0, 1), of no scale, or of a noise that is not known", () => {
    const laplace: Noise = { mechanism: "discrete-laplace@1", scale: "2" };
    for (const alpha of [zero, one, ratio(-1n), ratio(2n)])
      refuses(
        () => noiseErrorBound(laplace, alpha),
        () => laplaceErrorBound(one, alpha),
        () => laplaceErrorBoundAbove(one, alpha),
      );
    refuses(
      () => noiseErrorBound({ ...laplace, scale: "0" }, half),
      () => noiseErrorBound({ mechanism: "rounded-gaussian@1", sigma: "-1" }, half),
      () => noiseErrorBound({ mechanism: "cauchy@1" } as never, half),
      () => laplaceTail(zero, 0n),
      () => laplaceTail(one, -1n),
      () => laplaceErrorBoundAbove(zero, half),
    );
  });
});

describe("a public range", () => {
  it("is of integers, low end first, and as wide as is asked at most", () => {
    for (const range of [
      { lo: 0n, hi: 0n },
      { lo: -3n, hi: 7n },
    ])
      expect(() => checkRange(range, 10n)).not.toThrow();
    refuses(
      () => checkRange({ lo: 1n, hi: 0n }),
      () => checkRange({ lo: -3n, hi: 8n }, 10n),
      () => checkRange({ lo: 0 as never, hi: 1n }),
      () => checkRange({ lo: 0n, hi: 1 as never }),
    );
    expect([-4n, -3n, 0n, 7n, 8n, 1.5 as never].map((x) => clampTo(x, { lo: -3n, hi: 7n }))).toEqual([
      ...[-3n, -3n, 0n, 7n, 7n, -3n],
    ]);
  });
});

describe("the sensitivity of counts", () => {
  it.each([
    [{}, 1n, 1n],
    [{ rows: 7n }, 7n, 49n],
    // Three cells of two rows and one of one.
    [{ rows: 7n, rowsPerCell: 2n }, 7n, 13n],
    [{ rows: 7n, rowsPerCell: 7n }, 7n, 49n],
    [{ rows: 7n, rowsPerCell: 1n }, 7n, 7n],
  ])("of %o: ℓ1 %i, ℓ2² %i, and twice that where one is replaced", (rows, l1, l2Squared) => {
    expect(countSensitivity({ adjacency: "add-or-remove-one", ...rows })).toEqual({ l1, l2Squared });
    expect(countSensitivity({ adjacency: "replace-one", ...rows })).toEqual({
      l1: 2n * l1,
      l2Squared: 2n * l2Squared,
    });
  });
  it("is refused for no rows, or more in a cell than in all", () => {
    const adjacency = "add-or-remove-one";
    refuses(
      () => countSensitivity({ adjacency, rows: 0n }),
      () => countSensitivity({ adjacency, rows: 1 as never }),
      () => countSensitivity({ adjacency, rows: 2n, rowsPerCell: 3n }),
      () => countSensitivity({ adjacency, rows: 2n, rowsPerCell: 0n }),
      () => countSensitivity({ adjacency: "both" as never }),
    );
  });
});

describe("clipping", () => {
  it.each<[ClipSet, readonly bigint[], readonly bigint[]]>([
    [{ norm: "l1", bound: 6n }, [3n, -3n], [3n, -3n]],
    [{ norm: "l1", bound: 5n }, [3n, -3n], [2n, -2n]],
    [{ norm: "l1", bound: 0n }, [3n, -3n], [0n, 0n]],
    [{ norm: "l2", boundSquared: 25n }, [3n, -4n], [3n, -4n]],
    [{ norm: "l2", boundSquared: 24n }, [3n, -4n], [2n, -3n]],
    [{ norm: "box", lo: -1n, hi: 2n }, [-2n, -1n, 2n, 3n], [-1n, -1n, 2n, 2n]],
  ])("to %o moves %s to %s", (set, vector, moved) => {
    expect(clip(vector, set)).toEqual(moved);
  });
  it.each<[ClipSet, "add-or-remove-one" | "replace-one", bigint, bigint]>([
    [{ norm: "l1", bound: 5n }, "add-or-remove-one", 5n, 25n],
    [{ norm: "l1", bound: 5n }, "replace-one", 10n, 100n],
    [{ norm: "l2", boundSquared: 25n }, "add-or-remove-one", 8n, 25n],
    [{ norm: "l2", boundSquared: 25n }, "replace-one", 17n, 100n],
    [{ norm: "box", lo: -1n, hi: 2n }, "add-or-remove-one", 6n, 12n],
    [{ norm: "box", lo: -4n, hi: 2n }, "add-or-remove-one", 12n, 48n],
    [{ norm: "box", lo: -1n, hi: 2n }, "replace-one", 9n, 27n],
  ])("to %o leaves the sensitivity of three coordinates, %s", (set, adjacency, l1, l2Squared) => {
    expect(sensitivityOfClipped(set, 3, adjacency)).toEqual({ l1, l2Squared });
  });
  it("is to a set that there is", () => {
    const box = { norm: "box", lo: 0n, hi: 0n } as const;
    expect(clip([1n], box)).toEqual([0n]);
    for (const dimension of [0, -1, 1.5, nan, 2 ** 53])
      refuses(() => sensitivityOfClipped(box, dimension, "replace-one"));
    refuses(
      () => clip([1n], { norm: "l1", bound: -1n }),
      () => clip([1n], { norm: "l2", boundSquared: -1n }),
      () => clip([1n], { norm: "box", lo: 1n, hi: 0n }),
      () => clip([1n], { norm: "l3" } as never),
      () => sensitivityOfClipped(box, 1, "both" as never),
    );
  });
});

describe("the grid of a vector", () => {
  it("rounds to the nearest step, halves up, and what is not finite as declared", () => {
    expect([0.24, 0.25, 0.74, 0.75, -0.25, -0.26].map((x) => quantize(x, half, "zero"))).toEqual([
      ...[0n, 1n, 1n, 2n, 0n, -1n],
    ]);
    expect(quantizeVector([nan, inf, 1], half, "zero")).toEqual([0n, 0n, 2n]);
    refuses(
      () => quantize(nan, half, "refuse"),
      () => quantize(-inf, half, "refuse"),
      () => quantize(1, zero, "zero"),
      () => quantize(1, ratio(-1n), "zero"),
    );
  });
  it("holds bounds rounded down, and one widened for rounding rounded up", () => {
    expect([boundOnGrid(parseRational("1.7"), half), boundOnGrid(zero, half)]).toEqual([3n, 0n]);
    expect([squaredBoundOnGrid(parseRational("1.7"), half), squaredBoundOnGrid(one, half)]).toEqual([
      11n,
      4n,
    ]);
    // (2 + √d/2)² at d = 4 is 9, at d = 1 is 6.25.
    expect([widenedSquaredBound(one, half, 4), widenedSquaredBound(one, half, 1)]).toEqual([9n, 7n]);
    expect(widenedSquaredBound(zero, half, 8)).toBe(2n);
    const below = ratio(-1n, 10n ** 9n);
    for (const dimension of [0, 1.5, nan]) refuses(() => widenedSquaredBound(one, half, dimension));
    refuses(
      () => boundOnGrid(below, half),
      () => boundOnGrid(one, zero),
      () => squaredBoundOnGrid(below, half),
      () => squaredBoundOnGrid(one, zero),
      () => widenedSquaredBound(below, half, 1),
      () => widenedSquaredBound(one, zero, 1),
    );
  });
});

describe("a sparse vector", () => {
  const setting = {
    ...{ thresholdEpsilon: "1/2", comparisonEpsilon: "1", numberEpsilon: "1/4" },
    ...{ sensitivity: 3n, cap: 2n, monotone: false },
  };
  it("has scales Δ/ε₁, 2cΔ/ε₂ or half of it, and cΔ/ε₃", () => {
    expect(sparseVectorScales(setting)).toEqual({
      threshold: ratio(6n),
      comparison: ratio(12n),
      number: ratio(24n),
    });
    expect(sparseVectorScales({ ...setting, monotone: true, numberEpsilon: "0" })).toEqual({
      ...{ threshold: ratio(6n), comparison: ratio(6n), number: null },
    });
  });
  it("splits ε by (2c)^(2/3) to three digits", () => {
    const made = sparseVectorFor({ epsilon: one, sensitivity: 1n, cap: 4n, monotone: false });
    // 8^(2/3) = 4.
    expect(made).toMatchObject({ thresholdEpsilon: "1/5", comparisonEpsilon: "4/5", numberEpsilon: "0" });
    const shared = sparseVectorFor({
      epsilon: one,
      sensitivity: 1n,
      cap: 8n,
      monotone: true,
      numberShare: half,
    });
    expect(shared).toMatchObject({
      thresholdEpsilon: "1/10",
      comparisonEpsilon: "2/5",
      numberEpsilon: "1/2",
    });
  });
  it("is refused outside its domain", () => {
    const request = { epsilon: one, sensitivity: 1n, cap: 1n, monotone: false };
    expect(() => sparseVectorFor({ ...request, numberShare: parseRational("0.999") })).not.toThrow();
    expect(sparseVectorErrorBound(setting, 1n, half)).toBeGreaterThan(0n);
    refuses(
      () => sparseVectorScales({ ...setting, sensitivity: 0n }),
      () => sparseVectorScales({ ...setting, sensitivity: 1 as never }),
      () => sparseVectorScales({ ...setting, cap: 0n }),
      () => sparseVectorScales({ ...setting, thresholdEpsilon: "0" }),
      () => sparseVectorScales({ ...setting, comparisonEpsilon: "0" }),
      () => sparseVectorScales({ ...setting, numberEpsilon: "-1/9" }),
      () => sparseVectorFor({ ...request, epsilon: zero }),
      () => sparseVectorFor({ ...request, cap: 0n }),
      () => sparseVectorFor({ ...request, sensitivity: 0n }),
      () => sparseVectorFor({ ...request, numberShare: one }),
      () => sparseVectorFor({ ...request, numberShare: ratio(-1n, 9n) }),
      () => sparseVectorErrorBound(setting, 0n, half),
      () => sparseVectorErrorBound(setting, 1 as never, half),
    );
  });
});

describe("marginals", () => {
  it("are all choices of k attributes, each moved by one cell or by two", () => {
    const workload = kWayMarginals([2, 3, 1], 2);
    expect(workload.marginals).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ]);
    expect(marginalSensitivity(workload, "add-or-remove-one")).toEqual({ l1: 3n, l2Squared: 3n });
    expect(marginalSensitivity(workload, "replace-one")).toEqual({ l1: 6n, l2Squared: 6n });
    // A table of one cell moves by one at most.
    expect(marginalSensitivity(kWayMarginals([2, 1], 1), "replace-one")).toEqual({ l1: 3n, l2Squared: 3n });
  });
  it("have 1 to 2^26 cells, of attributes that there are", () => {
    expect(() => kWayMarginals([2 ** 13, 2 ** 13], 2)).not.toThrow();
    expect(kWayMarginals([2, 2, 2], 3).marginals).toEqual([[0, 1, 2]]);
    const sizes = [2, 3];
    const [first, ...others] = [[], [[]], [[1, 0]], [[0, 0]], [[2]], [[-1]], [[0.5]]];
    for (const marginals of [first!, ...others])
      refuses(() => checkedWorkload({ sizes, marginals: marginals as never }));
    refuses(
      () => kWayMarginals([2 ** 13, 2 ** 13 + 1], 2),
      () => kWayMarginals(sizes, 0),
      () => kWayMarginals(sizes, 3),
      () => kWayMarginals(sizes, 1.5),
      () => kWayMarginals([0, 2], 1),
      () => kWayMarginals([2.5, 2], 1),
      () => marginalSensitivity({ sizes, marginals: [[0]] }, "both" as never),
    );
  });
});

describe("noise of the largest norm", () => {
  it("has scale Δ∞/ε, on a grid of 64·d steps to it", () => {
    expect(maxNormNoiseFor({ dimension: 2, linf: 3n, epsilon: half })).toEqual({
      ...{ mechanism: "max-norm@1", scale: "6", dimension: 2, gridBits: 5 },
    });
    expect(maxNormNoiseFor({ dimension: 1, linf: 64n, epsilon: one }).gridBits).toBe(0);
    const noise = maxNormNoiseFor({ dimension: 2, linf: 3n, epsilon: half });
    expect(maxNormEvent(noise, 3n)).toEqual({
      kind: "pure",
      version: 1,
      epsilon: "1/2",
      of: "max-norm-noise",
    });
    expect(maxNormEvent(noise, 0n)).toEqual({ kind: "constant", version: 1 });
    expect(maxNormSampler(noise).sample(new SeededSource(1))).toHaveLength(2);
  });
  it("is refused outside its domain", () => {
    const request = { dimension: 1, linf: 1n, epsilon: one };
    const noise = maxNormNoiseFor(request);
    expect(() => maxNormNoiseFor({ ...request, dimension: 2 ** 20 })).not.toThrow();
    expect(() => maxNormSampler({ ...noise, gridBits: 4096 })).not.toThrow();
    for (const dimension of [0, -1, 1.5, nan, 2 ** 20 + 1])
      refuses(() => maxNormNoiseFor({ ...request, dimension }));
    for (const gridBits of [-1, 4097, 0.5, nan]) refuses(() => maxNormSampler({ ...noise, gridBits }));
    refuses(
      () => maxNormNoiseFor({ ...request, linf: 0n }),
      () => maxNormNoiseFor({ ...request, epsilon: zero }),
      () => maxNormEvent(noise, -1n),
      () => maxNormSampler({ ...noise, dimension: 0 }),
      () => maxNormSampler({ ...noise, scale: "0" }),
    );
  });
});

describe("choices", () => {
  it("miss the best by ln((m − 1)/miss)/rate at most", () => {
    expect(utilityLoss({ rate: half, candidates: 101, miss: 0.05 })).toBeCloseTo(2 * Math.log(2000), 12);
    expect(utilityLoss({ rate: half, candidates: 1, miss: 0.05 })).toBe(0);
    expect(utilityLoss({ rate: half, candidates: 2, miss: 0.5 })).toBeCloseTo(2 * Math.log(2), 12);
    for (const candidates of [0, -1, 1.5, nan])
      refuses(() => utilityLoss({ rate: half, candidates, miss: 0.5 }));
    for (const miss of [0, 1, -0.5, nan]) refuses(() => utilityLoss({ rate: half, candidates: 2, miss }));
    refuses(() => utilityLoss({ rate: zero, candidates: 2, miss: 0.5 }));
  });
  it("of one of 2 to 2^24 options", () => {
    for (const options of [2, 2 ** 24]) expect(() => checkOptions(options)).not.toThrow();
    for (const options of [1, 2 ** 24 + 1, 2.5, nan]) refuses(() => checkOptions(options));
    for (const option of [0, 4]) expect(() => checkOption(option, 5, "x")).not.toThrow();
    for (const option of [-1, 5, 0.5, nan]) refuses(() => checkOption(option, 5, "x"));
  });
  it("are charged on the grid of ε, or what lies below it", () => {
    const exact = parseRational("1e-30");
    expect(chargeable(exact)).toEqual(exact);
    const charged = chargeable(one);
    expect(charged.num < charged.den && (charged.den - charged.num) << 60n < charged.den).toBe(true);
    refuses(
      () => chargeable(zero),
      () => chargeable(ratio(-1n)),
    );
  });
});
