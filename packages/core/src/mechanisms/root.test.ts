import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, multiply, parseRational, ratio } from "../numeric/rational.ts";
import { rootDown, rootUp } from "./root.ts";

describe("a root to 44 bits", () => {
  it("encloses the root from both sides, and is off by less than a part in 2^42", () => {
    const positive = fc.bigInt(1n, 1n << 200n);
    fc.assert(
      fc.property(positive, positive, (num, den) => {
        const x = ratio(num, den);
        const [low, high] = [rootDown(x), rootUp(x)];
        expect(compare(multiply(low, low), x)).toBeLessThanOrEqual(0);
        expect(compare(multiply(high, high), x)).toBeGreaterThanOrEqual(0);
        const wide = ratio((1n << 42n) + 1n, 1n << 42n);
        expect(compare(high, multiply(low, wide))).toBeLessThanOrEqual(0);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it("is a short number: at most 45 bits times a power of two", () => {
    for (const text of ["2", "1e-30", "3e40", "1/7", "123456789/1000003"]) {
      for (const root of [rootDown(parseRational(text)), rootUp(parseRational(text))]) {
        const odd = root.num.toString(2).replace(/0+$/, "");
        expect(odd.length).toBeLessThanOrEqual(46);
        expect(odd.length).toBeGreaterThan(30);
        expect(root.den & (root.den - 1n)).toBe(0n);
      }
    }
  });

  it("is the root itself where that is short", () => {
    for (const [square, root] of [
      ["1", "1"],
      ["9/4", "3/2"],
      ["4503599627370496", "67108864"],
      ["1/1024", "1/32"],
    ] as const) {
      expect(rootUp(parseRational(square))).toEqual(parseRational(root));
      expect(rootDown(parseRational(square))).toEqual(parseRational(root));
    }
  });
});
