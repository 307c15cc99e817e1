import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import { type Neighbours, product } from "../../../../../testing/src/contracts/mechanism-hockey-stick.ts";
import {
  discreteLaplaceMass,
  roundedGaussianMass,
  shifted,
} from "../../../../../testing/src/contracts/mechanism-masses.ts";
import { epsilonFromGaussian } from "../../conversions/gaussian/gaussian-to-approximate.ts";
import { multiply, parseRational, type Rational, ratio, zero } from "../../numeric/rational.ts";
import { SeededSource } from "../../tape.ts";
import { laplace } from "../laplace/laplace.ts";
import { noiseSampler } from "../registry.ts";
import { addGaussian, addLaplace } from "./add-noise-to-vector.ts";
import { type ClipSet, clip, sensitivityOfClipped } from "./clip.ts";
import { ceilSqrt, floorSqrt } from "./integer-root.ts";
import { boundOnGrid, quantize, squaredBoundOnGrid, widenedSquaredBound } from "./quantize.ts";
import { sumRealVectors, sumVectors } from "./sum-vectors.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const l1 = (v: readonly bigint[]): bigint => v.reduce((t, x) => t + (x < 0n ? -x : x), 0n);
const l2Squared = (v: readonly bigint[]): bigint => v.reduce((t, x) => t + x * x, 0n);

/** All integer vectors of this length with coordinates in −reach … reach. */
function vectors(length: number, reach: number): bigint[][] {
  if (length === 0) return [[]];
  const shorter = vectors(length - 1, reach);
  return Array.from({ length: 2 * reach + 1 }, (_, i) => BigInt(i - reach)).flatMap((x) =>
    shorter.map((v) => [x, ...v]),
  );
}

const sets: readonly ClipSet[] = [
  { norm: "l1", bound: 3n },
  { norm: "l2", boundSquared: 9n },
  { norm: "l2", boundSquared: 5n },
  { norm: "box", lo: -1n, hi: 2n },
  { norm: "box", lo: 2n, hi: 3n },
];

describe("clipping integer vectors", () => {
  it.each(sets)("moves every vector into the set and leaves those inside alone: %o", (set) => {
    const inside = (v: readonly bigint[]): boolean =>
      set.norm === "l1"
        ? l1(v) <= set.bound
        : set.norm === "l2"
          ? l2Squared(v) <= set.boundSquared
          : v.every((x) => set.lo <= x && x <= set.hi);
    for (const v of vectors(3, 5)) {
      const clipped = clip(v, set);
      expect(inside(clipped)).toBe(true);
      if (inside(v)) expect(clipped).toEqual(v);
    }
  });

  it("keeps directions: at most one grid step from the real projection on a fine grid", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(-(10n ** 30n), 10n ** 30n), { minLength: 1, maxLength: 6 }), (v) => {
        const norm = Math.sqrt(Number(l2Squared(v)));
        const bound = 10n ** 6n;
        clip(v, { norm: "l2", boundSquared: bound * bound }).forEach((x, i) => {
          const real = norm > 1e6 ? (Number(v[i]!) * 1e6) / norm : Number(v[i]!);
          expect(Math.abs(Number(x) - real)).toBeLessThan(1.001);
        });
      }),
      { seed: 11 },
    );
  });

  it.each(sets)("has the sensitivity that brute force over all pairs finds: %o", (set) => {
    const clipped = vectors(2, 4).map((v) => clip(v, set));
    for (const adjacency of ["add-or-remove-one", "replace-one"] as const) {
      const others = adjacency === "replace-one" ? clipped : [[0n, 0n]];
      const moves = clipped.flatMap((v) => others.map((w) => v.map((x, i) => x - w[i]!)));
      const most = (norm: (v: readonly bigint[]) => bigint): bigint =>
        moves.map(norm).reduce((a, b) => (a > b ? a : b));
      const claimed = sensitivityOfClipped(set, 2, adjacency);
      expect(most(l1) <= claimed.l1).toBe(true);
      expect(most(l2Squared) <= claimed.l2Squared).toBe(true);
      if (set.norm !== "l2") expect(claimed.l1).toBe(most(l1));
      // The integer points of an ℓ2 ball reach its radius where that is attained by integers.
      if (set.norm !== "l2" || set.boundSquared === 9n || set.boundSquared === 5n) {
        expect(claimed.l2Squared).toBe(most(l2Squared));
      }
    }
  });

  it.each([
    { norm: "l1", bound: -1n },
    { norm: "l2", boundSquared: -1n },
    { norm: "box", lo: 1n, hi: 0n },
    { norm: "l3", bound: 1n },
  ] as ClipSet[])("refuses an empty or unknown set: %o", (set) => {
    expect(() => clip([1n], set)).toThrow(invalid);
    expect(() => sensitivityOfClipped(set, 1, "replace-one")).toThrow(invalid);
  });
  it.each([0, -1, 1.5, Number.NaN])("refuses dimension %s", (dimension) => {
    expect(() => sensitivityOfClipped(sets[0]!, dimension, "replace-one")).toThrow(invalid);
  });
  it("refuses an unknown adjacency", () => {
    expect(() => sensitivityOfClipped(sets[0]!, 1, "none" as never)).toThrow(invalid);
  });
});

describe("integer square roots", () => {
  it("are the largest below and the smallest above", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 60n), (n) => {
        const [low, high] = [floorSqrt(n), ceilSqrt(n)];
        expect(low * low <= n && (low + 1n) * (low + 1n) > n).toBe(true);
        expect(high * high >= n && (high === 0n || (high - 1n) * (high - 1n) < n)).toBe(true);
      }),
      { seed: 12 },
    );
    for (let n = 0n; n < 200n; n++) expect(floorSqrt(n * n)).toBe(n);
  });
});

describe("the grid", () => {
  const tenth = ratio(1n, 10n);
  it("takes the nearest point, halves upward, without a double on the way", () => {
    expect(quantize(0.26, tenth, "zero")).toBe(3n);
    expect(quantize(0.25, ratio(1n, 2n), "zero")).toBe(1n);
    expect(quantize(-0.25, ratio(1n, 2n), "zero")).toBe(0n);
    // 0.15 is a little below 15/100, 0.05 a little above 5/100.
    expect(quantize(0.15, tenth, "zero")).toBe(1n);
    expect(quantize(0.05, tenth, "zero")).toBe(1n);
    expect(quantize(1e300, ratio(1n), "zero")).toBe(BigInt(1e300));
    expect(quantize(-Number.MIN_VALUE, tenth, "zero")).toBe(0n);
  });
  it("does with what is not finite as declared, without a word about it", () => {
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(quantize(x, tenth, "zero")).toBe(0n);
      expect(() => quantize(x, tenth, "refuse")).toThrow(
        expect.objectContaining({
          code: "parameter.invalid",
          message: "a coordinate is not a finite number",
        }),
      );
    }
  });
  it("rounds bounds down where vectors are clipped again", () => {
    expect(boundOnGrid(parseRational("0.99"), tenth)).toBe(9n);
    expect(squaredBoundOnGrid(parseRational("0.99"), tenth)).toBe(98n);
  });
  it("widens a bound so that no rounded vector of that norm passes it", () => {
    expect(widenedSquaredBound(ratio(1n), tenth, 4)).toBe(121n);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
        (raw) => {
          const norm = Math.hypot(...raw);
          const v = raw.map((x) => (norm > 1 ? (x / norm) * (1 - 1e-15) : x));
          const indices = v.map((x) => quantize(x, tenth, "zero"));
          expect(l2Squared(indices) <= widenedSquaredBound(ratio(1n), tenth, 3)).toBe(true);
        },
      ),
      { seed: 13 },
    );
  });
  it.each(["0", "-1"])("refuses step %s", (step) => {
    for (const act of [
      () => quantize(1, parseRational(step), "zero"),
      () => boundOnGrid(ratio(1n), parseRational(step)),
      () => squaredBoundOnGrid(ratio(1n), parseRational(step)),
      () => widenedSquaredBound(ratio(1n), parseRational(step), 1),
    ]) {
      expect(act).toThrow(invalid);
    }
  });
  it("refuses negative bounds and dimensions that are none", () => {
    expect(() => boundOnGrid(ratio(-1n), tenth)).toThrow(invalid);
    expect(() => squaredBoundOnGrid(ratio(-1n), tenth)).toThrow(invalid);
    expect(() => widenedSquaredBound(ratio(-1n), tenth, 2)).toThrow(invalid);
    expect(() => widenedSquaredBound(ratio(1n), tenth, 0)).toThrow(invalid);
  });
});

describe("a sum of vectors", () => {
  const rule = {
    dimension: 2,
    clip: { norm: "l2", boundSquared: 100n },
    adjacency: "add-or-remove-one",
  } as const;
  it("moves by no more than it says when a unit comes or goes, NaN and giants included", () => {
    const real = { ...rule, step: ratio(1n, 10n), notFinite: "zero" } as const;
    const unit = fc.array(fc.oneof(fc.double(), fc.double({ min: -2, max: 2 })), {
      minLength: 2,
      maxLength: 2,
    });
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 5 }), unit, unit, (others, here, there) => {
        const without = sumRealVectors(others, real).total;
        const withOne = sumRealVectors([...others, here], real).total;
        const replaced = sumRealVectors([there, ...others], { ...real, adjacency: "replace-one" });
        const move = (a: readonly bigint[], b: readonly bigint[]): bigint[] => a.map((x, i) => x - b[i]!);
        expect(l2Squared(move(withOne, without)) <= 100n).toBe(true);
        expect(l2Squared(move(withOne, replaced.total)) <= replaced.sensitivity.l2Squared).toBe(true);
        expect(l1(move(withOne, replaced.total)) <= replaced.sensitivity.l1).toBe(true);
      }),
      { seed: 14 },
    );
  });
  it("is the sum of what was clipped, 0 of none, with the sensitivity of the set", () => {
    const l1Rule = { ...rule, clip: { norm: "l1", bound: 2n } } as const;
    const both = [
      [1n, 0n],
      [5n, 5n],
      [-9n, 0n],
    ];
    expect(sumVectors(both, l1Rule)).toEqual({ total: [0n, 1n], sensitivity: { l1: 2n, l2Squared: 4n } });
    expect(sumVectors([], l1Rule).total).toEqual([0n, 0n]);
    const real = { ...l1Rule, step: ratio(1n, 2n), notFinite: "zero" } as const;
    expect(
      sumRealVectors(
        [
          [0.5, 0.3],
          [Number.NaN, -0.5],
        ],
        real,
      ).total,
    ).toEqual([1n, 0n]);
  });
  it("refuses a vector of another length", () => {
    for (const vector of [[1n], [1n, 2n, 3n], []]) expect(() => sumVectors([vector], rule)).toThrow(invalid);
  });
});

const laplacePair = (scale: string, shift: bigint): Neighbours =>
  shift === 0n
    ? { outcomes: [{ p: { lo: ratio(1n), hi: ratio(1n) }, q: { lo: ratio(1n), hi: ratio(1n) } }], rest: zero }
    : shifted(discreteLaplaceMass(parseRational(scale)), shift, 12n);

describe("noise on a vector", () => {
  const total = [5n, -7n, 0n];
  const sensitivity = { l1: 3n, l2Squared: 5n };

  it("is the exact vector plus the priced noise on the same coins", () => {
    const epsilon = ratio(1n, 2n);
    const released = addLaplace({ total, sensitivity }, { epsilon }, new SeededSource(3));
    const coins = new SeededSource(3);
    const sampler = noiseSampler(released.noise);
    expect(released.values).toEqual(total.map((x) => x + sampler.sample(coins)));
    expect(released.event).toEqual({ kind: "laplace", version: 1, scale: "6", l1: "3" });
    expect(laplace.losses(released.event as never).pure!.epsilon).toEqual(epsilon);
  });

  it("is Gaussian of either kind at the budget asked for", () => {
    const draw = (kind: "rounded" | "discrete") =>
      addGaussian({ total, sensitivity }, { rho: ratio(1n, 2n) }, new SeededSource(4), kind);
    expect(draw("discrete").event).toEqual({
      kind: "discrete-gaussian",
      version: 1,
      sigmaSquared: "5",
      l2Squared: "5",
    });
    const rounded = draw("rounded");
    expect(rounded.event.kind).toBe("rounded-gaussian");
    const coins = new SeededSource(4);
    const sampler = noiseSampler(rounded.noise);
    expect(rounded.values).toEqual(total.map((x) => x + sampler.sample(coins)));
  });

  it("is none where nothing can move", () => {
    const still = { total, sensitivity: { l1: 0n, l2Squared: 0n } };
    const bits = new SeededSource(5);
    for (const released of [
      addLaplace(still, { epsilon: ratio(1n) }, bits),
      addGaussian(still, { rho: ratio(1n) }, bits),
      addGaussian(still, { rho: ratio(1n) }, bits, "discrete"),
    ]) {
      expect(released).toMatchObject({ values: total, event: { kind: "constant" } });
    }
  });

  it("keeps its ε jointly, for every way to split the ℓ1 bound over two coordinates, and no smaller one", () => {
    // l1 = 3 at ε = 3: scale 1.
    const epsilon = ratio(3n);
    for (const [a, b] of [
      [3n, 0n],
      [2n, 1n],
      [1n, 2n],
    ] as const) {
      const pair = product([laplacePair("1", a), laplacePair("1", b)]);
      expect(refuted(pair, epsilon, zero)).toBe(false);
      expect(refuted(pair, multiply(epsilon, ratio(99n, 100n)), zero)).toBe(true);
    }
  });

  it("keeps its (ε, δ) jointly under rounded Gaussian noise; priced as one coordinate it would not", () => {
    const each = shifted(roundedGaussianMass(ratio(2n)), 1n, 18n);
    const delta: Rational = parseRational("1e-3");
    const pair = product([each, each]);
    expect(refuted(pair, epsilonFromGaussian(ratio(2n, 4n), delta), delta)).toBe(false);
    expect(refuted(pair, epsilonFromGaussian(ratio(1n, 4n), delta), delta)).toBe(true);
  });

  it("refuses budgets that are none, or that a kind cannot prove", () => {
    const sum = { total, sensitivity };
    const bits = new SeededSource(6);
    expect(() => addLaplace(sum, { epsilon: zero }, bits)).toThrow(invalid);
    expect(() => addGaussian(sum, { rho: zero }, bits)).toThrow(invalid);
    expect(() => addGaussian(sum, { rho: zero }, bits, "discrete")).toThrow(invalid);
    expect(() =>
      addGaussian(sum, { epsilon: ratio(1n), delta: parseRational("1e-5") }, bits, "discrete"),
    ).toThrow(invalid);
    expect(() => addGaussian(sum, { rho: ratio(1n) }, bits, "other" as never)).toThrow(invalid);
    // Not even where nothing can move, nor for a sensitivity that there is not.
    const still = { total: [5n], sensitivity: { l1: 0n, l2Squared: 0n } };
    const below = { total: [5n], sensitivity: { l1: -1n, l2Squared: -1n } };
    for (const kind of ["rounded", "discrete"] as const) {
      for (const rho of [zero, ratio(-1n), ratio(1n, 1n << 61n)])
        expect(() => addGaussian(still, { rho }, bits, kind), kind).toThrow(invalid);
      expect(() => addGaussian(below, { rho: ratio(1n) }, bits, kind), kind).toThrow(invalid);
    }
    expect(() => addLaplace(still, { epsilon: zero }, bits)).toThrow(invalid);
    expect(() => addLaplace(below, { epsilon: ratio(1n) }, bits)).toThrow(invalid);
  });
  it("has σ² = Δ₂²/2ρ exactly where it is discrete, ρ rounded down to 2^−60", () => {
    const sum = { total: [5n], sensitivity: { l1: 3n, l2Squared: 9n } };
    const drawn = (rho: Rational) => addGaussian(sum, { rho }, new SeededSource(6), "discrete").noise;
    expect(drawn(ratio(1n, 8n))).toEqual({ mechanism: "discrete-gaussian@1", sigmaSquared: "36" });
    expect(drawn(ratio(3n, 1n << 61n))).toEqual(drawn(ratio(1n, 1n << 60n)));
  });
});
