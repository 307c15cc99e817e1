import fc from "fast-check";
import { describe, expect, it } from "vitest";
import oracle from "../../../../../testing/oracles/accounting.json" with { type: "json" };
import { refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import { product } from "../../../../../testing/src/contracts/mechanism-hockey-stick.ts";
import {
  discreteLaplaceMass,
  roundedGaussianMass,
  shifted,
} from "../../../../../testing/src/contracts/mechanism-masses.ts";
import { epsilonFromGaussian } from "../../conversions/gaussian/gaussian-to-approximate.ts";
import type { BitSource } from "../../entropy/bit-source.ts";
import { multiply, parseRational, ratio, zero } from "../../numeric/rational.ts";
import { SeededSource } from "../../tape.ts";
import { laplace } from "../laplace/laplace.ts";
import { noiseSampler } from "../registry.ts";
import { type CountingRequest, countingEvent, countingFor } from "./counting-for.ts";
import { toeplitzSensitivity, treeSensitivity } from "./counting-sensitivity.ts";
import { openCounting } from "./open-counting.ts";
import { type RunningNoise, roundedShift, runningBits, ToeplitzNoise, TreeNoise } from "./running-noise.ts";
import { sqrtCoefficients } from "./sqrt-coefficients.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const one = { participations: 1, separation: 1 };

/** The rows of C that are measured, from their definition. */
function treeRows(steps: number): bigint[][] {
  return Array.from({ length: steps }, (_, i) => {
    const t = i + 1;
    const length = t & -t;
    return Array.from({ length: steps }, (_, s) => (s + 1 > t - length && s + 1 <= t ? 1n : 0n));
  });
}
function toeplitzRows(c: readonly bigint[], steps: number): bigint[][] {
  return Array.from({ length: steps }, (_, t) =>
    Array.from({ length: steps }, (_, s) => (s <= t ? (c[t - s] ?? 0n) : 0n)),
  );
}
const times = (rows: readonly (readonly bigint[])[], x: readonly bigint[]): bigint[] =>
  rows.map((row) => row.reduce((total, c, i) => total + c * x[i]!, 0n));

/** The largest ℓ1 and squared ℓ2 norm of C·d over all patterns and signs. */
function bruteForce(rows: readonly (readonly bigint[])[], k: number, b: number) {
  const steps = rows.length;
  let [l1, l2Squared] = [0n, 0n];
  const visit = (d: bigint[], from: number, left: number): void => {
    const moved = times(rows, d);
    const a = moved.reduce((total, x) => total + (x < 0n ? -x : x), 0n);
    const q = moved.reduce((total, x) => total + x * x, 0n);
    if (a > l1) l1 = a;
    if (q > l2Squared) l2Squared = q;
    if (left === 0) return;
    for (let t = from; t < steps; t++) {
      for (const sign of [1n, -1n]) {
        visit(
          d.map((x, i) => (i === t ? sign : x)),
          t + b,
          left - 1,
        );
      }
    }
  };
  visit(new Array<bigint>(steps).fill(0n), 0, k);
  return { l1, l2Squared };
}

describe("the coefficients of the square root of the running sum", () => {
  it("are C(2i, i)/4^i, and convolved with themselves give ones", () => {
    const c = sqrtCoefficients(64, 40).map((x) => Number(x) / 2 ** 40);
    expect(c.slice(0, 4)).toEqual([1, 0.5, 0.375, 0.3125]);
    for (let t = 0; t < 64; t++) {
      const sum = c.slice(0, t + 1).reduce((total, x, i) => total + x * c[t - i]!, 0);
      expect(sum).toBeCloseTo(1, 9);
    }
  });
  it("have the squared sums of the reference numbers", () => {
    const due = oracle.cases.find(({ id }) => id === "toeplitz-1") as unknown as {
      n: number;
      value: number;
      n2: number;
      value2: number;
      rtol: number;
    };
    for (const [n, value] of [
      [due.n, due.value],
      [due.n2, due.value2],
    ] as const) {
      const { l2Squared } = toeplitzSensitivity(sqrtCoefficients(n, 40), n, one);
      expect(Math.abs(Number(l2Squared) / 2 ** 80 / value - 1)).toBeLessThan(due.rtol);
    }
  });
  it("never increase and never fall below 0", () => {
    const c = sqrtCoefficients(5000, 20);
    for (let i = 1; i < c.length; i++) expect(c[i]! >= 0n && c[i]! <= c[i - 1]!).toBe(true);
  });
});

describe("sensitivity", () => {
  const patterns = [
    [1, 1],
    [2, 1],
    [2, 3],
    [3, 1],
    [3, 2],
    [3, 4],
    [2, 9],
  ] as const;
  it.each([1, 2, 3, 5, 8, 11])(
    "of a tree of %s steps is never below brute force, and is it for one step",
    (steps) => {
      for (const [participations, separation] of patterns) {
        const claimed = treeSensitivity(steps, { participations, separation });
        const found = bruteForce(treeRows(steps), participations, separation);
        expect(found.l1 <= claimed.l1 && found.l2Squared <= claimed.l2Squared).toBe(true);
        if (participations === 1) expect(claimed).toEqual(found);
      }
      const levels = BigInt(Math.floor(Math.log2(steps)) + 1);
      expect(treeSensitivity(steps, one)).toEqual({ l1: levels, l2Squared: levels });
    },
  );
  it.each([1, 2, 5, 8])(
    "of a Toeplitz matrix of %s steps is what brute force finds, for every band",
    (steps) => {
      for (const bands of [1, 2, 3, steps]) {
        const c = sqrtCoefficients(Math.min(bands, steps), 4);
        for (const [participations, separation] of patterns) {
          const claimed = toeplitzSensitivity(c, steps, { participations, separation });
          expect(claimed).toEqual(bruteForce(toeplitzRows(c, steps), participations, separation));
        }
      }
    },
  );
  it("counts no participation that cannot happen", () => {
    const c = sqrtCoefficients(10, 10);
    const at = (participations: number) => toeplitzSensitivity(c, 10, { participations, separation: 4 });
    expect(at(1e9)).toEqual(at(3));
    expect(treeSensitivity(10, { participations: 1e9, separation: 4 })).toEqual(
      treeSensitivity(10, { participations: 3, separation: 4 }),
    );
  });
  it("refuses overlaps too large to sum", () => {
    const c = sqrtCoefficients(4096, 10);
    expect(() => toeplitzSensitivity(c, 1e6, { participations: 5000, separation: 5 })).toThrow(invalid);
  });
});

describe("the price against the joint law of all measurements", () => {
  it("of a Laplace tree is attained and no smaller ε holds", () => {
    const epsilon = ratio(2n);
    const plan = countingFor({ steps: 3, form: "tree" }, { epsilon });
    expect(laplace.losses(countingEvent(plan) as never).pure!.epsilon).toEqual(epsilon);
    // Scale 1: step 1 is in the measurements of steps 1 and 2, step 3 in its own.
    const mass = discreteLaplaceMass(parseRational((plan.noise as { scale: string }).scale));
    const joint = product([shifted(mass, 1n, 12n), shifted(mass, 1n, 12n)]);
    expect(refuted(joint, epsilon, zero)).toBe(false);
    expect(refuted(joint, multiply(epsilon, ratio(99n, 100n)), zero)).toBe(true);
  });
  it("of a Toeplitz matrix is that of its column, and a column of one entry would promise too much", () => {
    // Coefficients 2, 1 (grid 1/2, two steps): a step moves the measurements by (2, 1). σ = 4.
    const c = sqrtCoefficients(2, 1);
    expect(c).toEqual([2n, 1n]);
    const { l2Squared } = toeplitzSensitivity(c, 2, one);
    const mass = roundedGaussianMass(ratio(4n));
    const joint = product([shifted(mass, 2n, 26n), shifted(mass, 1n, 26n)]);
    const delta = parseRational("1e-3");
    expect(refuted(joint, epsilonFromGaussian(ratio(l2Squared, 16n), delta), delta)).toBe(false);
    expect(refuted(joint, epsilonFromGaussian(ratio(4n, 16n), delta), delta)).toBe(true);
  });
});

/** Hands out given numbers: what a stream's noise turns measurements' noise into. */
function runAll(noise: RunningNoise, draws: readonly bigint[]): bigint[] {
  return draws.map((z) => noise.next(z));
}
const totals = (x: readonly bigint[]): bigint[] => {
  let sum = 0n;
  return x.map((each) => {
    sum += each;
    return sum;
  });
};

const forms = [
  ["tree, grid 0", 0, null],
  ["tree, grid 3", 3, null],
  ["two bands", 6, 2],
  ["five bands", 6, 5],
  ["full square root", 6, 40],
] as const;

describe("what is released is a function of the measurements", () => {
  const values = fc.array(fc.bigInt(-50n, 50n), { minLength: 1, maxLength: 40 });
  const make = (grid: number, bands: number | null) => {
    const c = bands === null ? null : sqrtCoefficients(bands, grid);
    return {
      c,
      rows: (steps: number) =>
        c === null ? treeRows(steps).map((row) => row.map((x) => x << BigInt(grid))) : toeplitzRows(c, steps),
      noise: () => (c === null ? new TreeNoise(grid) : new ToeplitzNoise(c, grid)),
    };
  };

  it.each(forms)("recomputed from y alone: %s", (_name, grid, bands) => {
    const { c, rows, noise } = make(grid, bands);
    fc.assert(
      fc.property(values, fc.infiniteStream(fc.bigInt(-3000n, 3000n)), (x, stream) => {
        const draws = [...stream.take(x.length)];
        const sums = totals(x);
        const released = runAll(noise(), draws).map((e, t) => sums[t]! + e);
        const y = times(rows(x.length), x).map((exact, t) => exact + draws[t]!);
        expect(released).toEqual(c === null ? fromTree(y, grid) : fromToeplitz(y, c, grid));
      }),
      { seed: 21, numRuns: 60 },
    );
  });

  it.each(forms)(
    "so neighbours whose noise differs by C·(x − x′) release the same: %s",
    (_name, grid, bands) => {
      const { rows, noise } = make(grid, bands);
      fc.assert(
        fc.property(
          values,
          fc.nat(),
          fc.bigInt(-9n, 9n),
          fc.infiniteStream(fc.bigInt(-3000n, 3000n)),
          (x, at, d, stream) => {
            const draws = [...stream.take(x.length)];
            const other = x.map((v, i) => (i === at % x.length ? v + d : v));
            const shift = times(
              rows(x.length),
              x.map((v, i) => v - other[i]!),
            );
            const [here, there] = [totals(x), totals(other)];
            const first = runAll(noise(), draws).map((e, t) => here[t]! + e);
            const second = runAll(
              noise(),
              draws.map((z, t) => z + shift[t]!),
            ).map((e, t) => there[t]! + e);
            expect(second).toEqual(first);
          },
        ),
        { seed: 22, numRuns: 60 },
      );
    },
  );
});

/** The estimate from a tree's measurements: the intervals that make up 1 … t. */
function fromTree(y: readonly bigint[], grid: number): bigint[] {
  return y.map((_, i) => {
    let total = 0n;
    for (let t = i + 1; t > 0; t -= t & -t) total += y[t - 1]!;
    return roundedShift(total, BigInt(grid));
  });
}

/** The estimate from a Toeplitz matrix's measurements, as the proof note writes it. */
function fromToeplitz(y: readonly bigint[], c: readonly bigint[], grid: number): bigint[] {
  const r: bigint[] = [];
  const at = (i: number): bigint => c[i] ?? 0n;
  for (let t = 0; t < y.length; t++) {
    let sum = y[t]! << BigInt(runningBits);
    for (let i = 0; i < t; i++) sum += (at(i) - at(i + 1)) * r[t - 1 - i]!;
    r.push(roundedShift(sum, BigInt(grid)));
  }
  return r.map((x) => roundedShift(x, BigInt(runningBits)));
}

describe("a stream", () => {
  const requests: readonly CountingRequest[] = [
    { steps: 20, form: "tree" },
    { steps: 20, form: "sqrt-toeplitz" },
    { steps: 20, form: { bands: 4 }, participations: 3, separation: 5 },
    { steps: 20, form: { bands: 400 }, lo: -3n, hi: 7n },
  ];
  it.each(requests)("adds the priced noise to clamped values: %o", (request) => {
    const plan = countingFor(request, { rho: ratio(1n, 2n) });
    const stream = openCounting(plan);
    const coins = new SeededSource(9);
    const sampler = noiseSampler(plan.noise);
    const noise =
      plan.factor.kind === "tree"
        ? new TreeNoise(plan.gridBits)
        : new ToeplitzNoise(sqrtCoefficients(plan.factor.bands, plan.gridBits), plan.gridBits);
    const bits = new SeededSource(9);
    let exact = 0n;
    for (let t = 1; t <= 20; t++) {
      const x = BigInt((t * 7) % 23) - 9n;
      exact += x < plan.lo ? plan.lo : x > plan.hi ? plan.hi : x;
      expect(stream.add(x, bits)).toBe(exact + noise.next(sampler.sample(coins)));
      expect(stream.step).toBe(t);
    }
    expect(() => stream.add(0n, bits)).toThrow(invalid);
    expect(stream.step).toBe(20);
  });

  it("gives the exact totals where nothing can move, at no price", () => {
    const plan = countingFor({ steps: 5, form: "tree", lo: 2n, hi: 2n }, { epsilon: ratio(1n) });
    expect(countingEvent(plan).kind).toBe("constant");
    const stream = openCounting(plan);
    expect([1, 2, 3].map(() => stream.add(100n, new SeededSource(1)))).toEqual([2n, 4n, 6n]);
  });

  it("adds nothing when its coins fail", () => {
    const plan = countingFor({ steps: 2, form: "sqrt-toeplitz" }, { rho: ratio(1n) });
    const stream = openCounting(plan);
    const broken: BitSource = {
      word() {
        throw new Error("no coins");
      },
    };
    expect(() => stream.add(1n, broken)).toThrow("no coins");
    expect(stream.step).toBe(0);
  });

  it("of a Laplace tree costs exactly ε at Δ·(⌊log₂T⌋ + 1), its oldest form", () => {
    const plan = countingFor({ steps: 1000, form: "tree", hi: 3n }, { epsilon: ratio(1n, 2n) });
    expect(plan.noise).toEqual({ mechanism: "discrete-laplace@1", scale: "60" });
    expect(countingEvent(plan)).toEqual({ kind: "laplace", version: 1, scale: "60", l1: "30" });
  });
});

describe("requests outside their domain", () => {
  const rho = { rho: ratio(1n) };
  it.each([
    [{ steps: 0, form: "tree" }, rho],
    [{ steps: 1.5, form: "tree" }, rho],
    [{ steps: Number.NaN, form: "tree" }, rho],
    [{ steps: 2 ** 33, form: "tree" }, rho],
    [{ steps: 2 ** 21, form: "sqrt-toeplitz" }, rho],
    [{ steps: 10, form: { bands: 0 } }, rho],
    [{ steps: 10, form: "tree", participations: 0 }, rho],
    [{ steps: 10, form: "tree", separation: 0 }, rho],
    [{ steps: 10, form: "tree", lo: 1n, hi: 0n }, rho],
    [{ steps: 10, form: "sqrt-toeplitz" }, { epsilon: ratio(1n) }],
    [{ steps: 10, form: "tree" }, { epsilon: zero }],
    [{ steps: 10, form: "tree" }, { rho: zero }],
  ] as const)("are refused: %o, %o", (request, budget) => {
    expect(() => countingFor(request as CountingRequest, budget)).toThrow(invalid);
  });
});
