import { describe, expect, it } from "vitest";
import {
  add,
  fromDouble,
  multiply,
  type Rational,
  ratio,
  subtract,
  toDouble,
  zero,
} from "../numeric/rational.ts";
import { binomialError, binomialMass, binomialTail } from "./binomial.ts";

/** P[Bin(n, p) = k] for every k, exactly, for a rational p. */
function exactMasses(n: number, p: Rational): Rational[] {
  const q = subtract(ratio(1n), p);
  let choose = 1n;
  return Array.from({ length: n + 1 }, (_, k) => {
    if (k > 0) choose = (choose * BigInt(n - k + 1)) / BigInt(k);
    const power = (x: Rational, m: number): Rational => ratio(x.num ** BigInt(m), x.den ** BigInt(m));
    return multiply(ratio(choose), multiply(power(p, k), power(q, n - k)));
  });
}

describe("binomial", () => {
  it.each([
    [1, 0.5],
    [7, 0.25],
    [15, 0.9375],
    [16, 0.0625],
    [40, 0.5],
    [120, 0.015625],
  ])("n = %i, p = %d: every mass and every tail", (n, p) => {
    const exact = exactMasses(n, fromDouble(p));
    let tail = zero;
    for (let k = n; k >= 0; k -= 1) {
      const truth = toDouble(exact[k]!, "up");
      expect(Math.abs(binomialMass(k, n, p, 1 - p) / truth - 1)).toBeLessThan(binomialError(n));
      const beyond = toDouble(tail, "up");
      const bound = binomialTail(n, p, k);
      expect(bound).toBeGreaterThanOrEqual(beyond * (1 - 1e-15));
      if (k >= n * p + 1) expect(bound).toBeLessThanOrEqual(beyond * (1 + 1e-9));
      tail = add(tail, exact[k]!);
    }
  });

  it("sums to one for a large n", () => {
    for (const [n, p] of [
      [1e6, 0.3],
      [1e9, 1e-7],
    ] as const) {
      let total = 0;
      const [mean, spread] = [n * p, Math.sqrt(n * p * (1 - p))];
      for (let k = Math.max(0, Math.floor(mean - 12 * spread)); k < mean + 12 * spread; k += 1) {
        total += binomialMass(k, n, p, 1 - p);
      }
      expect(Math.abs(total - 1)).toBeLessThan(binomialError(n));
    }
  });

  it("tails of large counts fall, and never reach 0 by underflow", () => {
    const tails = [255, 300, 400, 600, 5000].map((limit) => binomialTail(60_000, 256 / 60_000, limit));
    expect(tails[0]).toBe(1);
    for (let i = 1; i < tails.length; i += 1) expect(tails[i]).toBeLessThan(tails[i - 1]!);
    expect(tails.at(-1)).toBeGreaterThan(0);
    expect(binomialTail(10, 0.5, 10)).toBe(0);
    expect(binomialTail(10, 0, 0)).toBe(0);
    expect(binomialTail(10, 1, 9)).toBe(1);
    expect(binomialTail(1e15, 0.5, 5e14 + 4e8)).toBeLessThan(1e-100);
    expect(() => binomialTail(10, Number.NaN, 3)).toThrow(/rate/);
    expect(() => binomialTail(1.5, 0.1, 3)).toThrow(/population/);
    expect(() => binomialTail(10, 0.1, -1)).toThrow(/limit/);
  });
});
