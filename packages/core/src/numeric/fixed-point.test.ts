import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rescale, shiftDown, shiftUp } from "./fixed-point.ts";
import { ceil, floor, ratio } from "./rational.ts";

describe("shifts", () => {
  test("are ⌊n/2^s⌋ and ⌈n/2^s⌉ for any sign of n and s", () => {
    fc.assert(
      fc.property(fc.bigInt(-(1n << 70n), 1n << 70n), fc.integer({ min: -80, max: 80 }), (n, s) => {
        const exact = s >= 0 ? ratio(n, 1n << BigInt(s)) : ratio(n << BigInt(-s));
        expect(shiftDown(n, s)).toBe(floor(exact));
        expect(shiftUp(n, s)).toBe(ceil(exact));
      }),
    );
  });
  test("a rescaled interval never becomes narrower, and loses nothing on the way to more places", () => {
    const x = { lo: -5n, hi: 5n };
    expect(rescale(x, 2, 1)).toEqual({ lo: -3n, hi: 3n });
    expect(rescale(x, 2, 4)).toEqual({ lo: -20n, hi: 20n });
  });
});
