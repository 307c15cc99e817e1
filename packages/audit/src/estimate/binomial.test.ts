import { describe, expect, test } from "vitest";
import { binomialAtLeast } from "./binomial-tail.ts";
import { clopperPearson } from "./clopper-pearson.ts";

/** Σ_{j≥k} C(n, j)·a^j·(b−a)^(n−j)/b^n, exactly. */
function exactTail(k: number, n: number, a: bigint, b: bigint): number {
  let [choose, total] = [1n, 0n];
  for (let j = 0; j <= n; j += 1) {
    if (j >= k) total += choose * a ** BigInt(j) * (b - a) ** BigInt(n - j);
    choose = (choose * BigInt(n - j)) / BigInt(j + 1);
  }
  return Number((total * 10n ** 40n) / b ** BigInt(n)) / 1e40;
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
