import { ratio } from "@lethe/core";
import { compare, fromDouble } from "@lethe/core/numeric";
import { describe, expect, test } from "vitest";
import { binomialAtLeast } from "./binomial-tail.ts";
import { clopperPearson } from "./clopper-pearson.ts";

/** Σ_{j≥k} C(n, j)·a^j·(b−a)^(n−j), over b^n, exactly. */
function exactSum(k: number, n: number, a: bigint, b: bigint): bigint {
  let [choose, total] = [1n, 0n];
  for (let j = 0; j <= n; j += 1) {
    if (j >= k) total += choose * a ** BigInt(j) * (b - a) ** BigInt(n - j);
    choose = (choose * BigInt(n - j)) / BigInt(j + 1);
  }
  return total;
}

function exactTail(k: number, n: number, a: bigint, b: bigint): number {
  return Number((exactSum(k, n, a, b) * 10n ** 40n) / b ** BigInt(n)) / 1e40;
}

describe("binomial tails", () => {
  test.each([
    [3, 4, 1n, 2n],
    [10, 500, 1n, 64n],
    [450, 1000, 1n, 2n],
    [550, 1000, 1n, 2n],
    [1, 1000, 1n, 1024n],
    [999, 1000, 1023n, 1024n],
  ])("%d of %d enclose the exact sum tightly", (k, n, a, b) => {
    const { lo, hi } = binomialAtLeast(k, n, Number(a) / Number(b));
    const exact = exactTail(k, n, a, b);
    expect(lo).toBeLessThanOrEqual(exact * (1 + 1e-12));
    expect(hi).toBeGreaterThanOrEqual(exact * (1 - 1e-12));
    expect((hi - lo) / exact).toBeLessThan(1e-9);
  });
  test.each([
    [1n, 2n],
    [1n, 4n],
    [3n, 4n],
    [7n, 8n],
    [5n, 1024n],
  ])("of a chance of %d in %d enclose the exact sum to the last bit, tightly, at every count", (a, b) => {
    const p = Number(a) / Number(b);
    for (const [n, counts] of [
      [1, [1]],
      [7, [1, 2, 3, 4, 5, 6, 7]],
      [64, [1, 2, 16, 31, 32, 33, 48, 63, 64]],
      // Factorials are multiplied out below 400.
      [399, [3, 150, 200, 210, 300, 398]],
      [400, [1, 99, 101, 199, 200, 201, 350, 399, 400]],
      [801, [2, 4, 200, 399, 400, 401, 402, 601, 701]],
    ] as const) {
      for (const k of counts) {
        const { lo, hi } = binomialAtLeast(k, n, p);
        const exact = ratio(exactSum(k, n, a, b), b ** BigInt(n));
        expect(compare(fromDouble(lo), exact), `${k} of ${n}`).toBeLessThanOrEqual(0);
        expect(compare(fromDouble(hi), exact), `${k} of ${n}`).toBeGreaterThanOrEqual(0);
        expect(hi - lo, `${k} of ${n}`).toBeLessThanOrEqual(1e-11 * hi + 1e-23);
      }
    }
  });
  test("of no success, of none that can be, and of certain ones are exact", () => {
    for (const p of [0, 0.3, 1]) expect(binomialAtLeast(0, 5, p)).toEqual({ lo: 1, hi: 1 });
    expect(binomialAtLeast(5, 5, 1)).toEqual({ lo: 1, hi: 1 });
    expect(binomialAtLeast(1, 5, 0)).toEqual({ lo: 0, hi: 0 });
    expect(binomialAtLeast(0, 0, 0.5)).toEqual({ lo: 1, hi: 1 });
  });
  test("stay chances where they are all but certain, or all but impossible", () => {
    const sure = binomialAtLeast(1, 100_000, 0.5);
    expect(sure.hi).toBe(1);
    expect(sure.lo).toBeGreaterThan(1 - 1e-15);
    expect(sure.lo).toBeLessThan(1);
    const never = binomialAtLeast(100_000, 100_000, 0.5);
    expect(never.lo).toBeGreaterThanOrEqual(0);
    expect(never.hi).toBeLessThan(1e-24);
  });
  test.each([
    [-1, 2, 0.5],
    [3, 2, 0.5],
    [1, -1, 0.5],
    [0, -1, 0.5],
    [0.5, 2, 0.5],
    [1, 2.5, 0.5],
    [1, Number.POSITIVE_INFINITY, 0.5],
  ])("of %d in %d are refused", (k, n, p) => {
    expect(() => binomialAtLeast(k, n, p)).toThrow(/0 ≤ k ≤ n/);
  });
  test.each([-0.1, 1.1, Number.NaN])("of a chance of %d are refused", (p) => {
    expect(() => binomialAtLeast(0, 2, p)).toThrow(/chance/);
  });
  test("enclose the truth where 1 − p is no double", () => {
    // 1 − (1 − p)ⁿ at 9.5 units of the last place of 1 − p, where n·p = 4: rounding 1 − p the wrong way moves it by a twentieth of p.
    const p = 9.5 * 2 ** -53;
    const n = Math.round(4 / p);
    const exact = -Math.expm1(n * Math.log1p(-p));
    const { lo, hi } = binomialAtLeast(1, n, p);
    expect(lo).toBeLessThanOrEqual(exact * (1 + 1e-9));
    expect(hi).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
  });
  test("of a million trials: half of them, and six standard deviations", () => {
    const middle = binomialAtLeast(500_000, 1_000_000, 0.5);
    expect(middle.lo).toBeCloseTo(0.5003989, 6);
    const rare = binomialAtLeast(503_000, 1_000_000, 0.5);
    expect(rare.hi).toBeLessThan(1.02e-9);
    expect(rare.lo).toBeGreaterThan(0.95e-9);
  });
});

test("Clopper–Pearson: known values, and coverage over all outcomes of small samples", () => {
  expect(clopperPearson(0, 100, 0.05).hi).toBeCloseTo(0.029513, 6);
  expect(clopperPearson(7, 50, 0.025)).toEqual({
    lo: expect.closeTo(0.058192, 6),
    hi: expect.closeTo(0.267396, 6),
  });
  expect(clopperPearson(50, 50, 0.025).hi).toBe(1);
  for (const p of [0.01, 0.5, 0.77]) {
    let [low, high] = [0, 0];
    for (let k = 0; k <= 30; k += 1) {
      const mass = binomialAtLeast(k, 30, p).hi - (k < 30 ? binomialAtLeast(k + 1, 30, p).lo : 0);
      const found = clopperPearson(k, 30, 0.01);
      if (found.lo > p) low += mass;
      if (found.hi < p) high += mass;
    }
    expect(low).toBeLessThanOrEqual(0.01 + 1e-12);
    expect(high).toBeLessThanOrEqual(0.01 + 1e-12);
  }
});

/** Ends are where the tail is alpha: a little further in it is more. */
test.each([
  [1, 10, 0.05],
  [9, 10, 0.05],
  [10, 10, 0.3],
  [1, 1, 0.9],
  [3, 40, 1e-9],
  [37, 40, 1e-9],
  [500, 1000, 1e-8],
  [995, 1000, 1e-3],
  [1, 100_000, 1e-6],
  [70_000, 100_000, 1e-10],
])("Clopper–Pearson: %d of %d at %d is as narrow as its chance of error allows", (k, n, alpha) => {
  const { lo, hi } = clopperPearson(k, n, alpha);
  expect(binomialAtLeast(k, n, lo).hi).toBeLessThanOrEqual(alpha);
  expect(binomialAtLeast(k, n, lo * (1 + 1e-8)).lo).toBeGreaterThan(alpha);
  if (k === n) expect(hi).toBe(1);
  else {
    // A count of k or fewer is one of n − k or more failures.
    expect(binomialAtLeast(n - k, n, 1 - hi).lo).toBeLessThanOrEqual(alpha);
    expect(binomialAtLeast(n - k, n, (1 - hi) * (1 + 1e-8)).lo).toBeGreaterThan(alpha);
  }
});

test.each([1, 2, 17, 4000])("Clopper–Pearson: none or all of %d", (n) => {
  const alpha = 0.02;
  // The root of pⁿ = α.
  const lowest = alpha ** (1 / n);
  const [none, all] = [clopperPearson(0, n, alpha), clopperPearson(n, n, alpha)];
  expect([none.lo, all.hi]).toEqual([0, 1]);
  expect(all.lo).toBeCloseTo(lowest, 9);
  expect(none.hi).toBeCloseTo(1 - lowest, 9);
});

test.each([
  ["alpha", 1, 2, 0],
  ["alpha", 1, 2, 1],
  ["n", 0, 0, 0.05],
  ["k, n", 3, 2, 0.05],
  ["k, n", -1, 2, 0.05],
])("Clopper–Pearson refuses a wrong %s: %d of %d at %d", (what, k, n, alpha) => {
  const refusal = expect.objectContaining({
    code: "parameter.invalid",
    message: expect.stringContaining(what),
  });
  expect(() => clopperPearson(k, n, alpha)).toThrow(refusal);
});
