import { parseRational, ratio } from "@lethe/core";
import { compare, sum, zero } from "@lethe/core/numeric";
import fc from "fast-check";
import { expect, it } from "vitest";
import { shares } from "./shares.ts";

it("shares are in proportion to their weights, in thousandths of the largest", () => {
  expect(shares([2, 1, 0])).toEqual(["2/3", "1/3", "0"].map((text) => parseRational(text)));
  expect(shares([5])).toEqual([ratio(1n)]);
  expect(shares([1, 3])).toEqual(["333/1333", "1000/1333"].map((text) => parseRational(text)));
  expect(shares([])).toEqual([]);
});

it("a weight above 0 is never without a share, and one of 0 always is", () => {
  expect(shares([1e9, 1e-9])).toEqual(["1000/1001", "1/1001"].map((text) => parseRational(text)));
  expect(shares([0, 0])).toEqual([zero, zero]);
  const weight = fc.oneof(fc.constant(0), fc.double({ min: 1e-12, max: 1e12, noNaN: true }));
  fc.assert(
    fc.property(fc.array(weight, { minLength: 1, maxLength: 8 }), (weights) => {
      const parts = shares(weights);
      for (const [at, part] of parts.entries()) expect(compare(part, zero)).toBe(weights[at]! > 0 ? 1 : 0);
      expect(sum(parts)).toEqual(weights.some((each) => each > 0) ? ratio(1n) : zero);
    }),
    { numRuns: 200, seed: 3 },
  );
});
