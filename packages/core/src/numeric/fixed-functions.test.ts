import { expect, test } from "vitest";
import { arctanhSeries, exponentialSeries } from "./fixed-functions.ts";

test.each([
  ["e^r", exponentialSeries, Math.exp, 1],
  ["artanh u", arctanhSeries, Math.atanh, 1 / 2],
])("the series of %s holds it with its tail, at every point of coarse grids", (_, series, truth, last) => {
  for (const p of [1, 2, 4, 7, 10]) {
    const one = 2 ** p;
    for (let at = 0; at <= last * one; at += 1) {
      const { lo, hi } = series({ lo: BigInt(at), hi: BigInt(at) }, p);
      // A double is exact enough: but at 0, no value is within 1e-9 of a grid point.
      const exact = truth(at / one) * one;
      expect(Number(lo)).toBeLessThanOrEqual(exact);
      expect(Number(hi)).toBeGreaterThanOrEqual(exact);
      expect(Number(hi - lo)).toBeLessThan(24);
    }
  }
});
