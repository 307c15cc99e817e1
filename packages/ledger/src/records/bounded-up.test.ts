import { type Rational, ratio } from "@lethe/core";
import { add, ceilTo, compare, multiply, zero } from "@lethe/core/numeric";
import fc from "fast-check";
import { expect, it } from "vitest";
import { boundedUp } from "./bounded-up.ts";

/** Like a ledger that only ever adds exactly. */
function exactSum(terms: readonly Rational[]): Rational {
  return terms.reduce(add, zero);
}

it("keeps sums short, never below the exact ones, and above them by less than 1e-99", () => {
  const term = fc.record({
    num: fc.bigInt({ min: 0n, max: 1n << 200n }),
    den: fc.bigInt({ min: 1n, max: 1n << 200n }),
  });
  fc.assert(
    fc.property(fc.array(term, { maxLength: 9 }), (raw) => {
      const terms = raw.map(({ num, den }) => ratio(num, den));
      const bounded = terms.reduce((spent, each) => boundedUp(add(spent, each)), zero);
      const exact = exactSum(terms);
      expect(compare(bounded, exact)).toBeGreaterThanOrEqual(0);
      expect(compare(bounded, add(exact, ratio(1n, 10n ** 99n)))).toBeLessThan(0);
      expect(bounded.den >> 512n).toBe(0n);
    }),
    { seed: 3, numRuns: 200 },
  );
});

it("leaves a sum of ordinary prices exact", () => {
  const price = ceilTo(multiply(ratio(1n, 3n), ratio(1n, 7n)), 1n << 60n);
  let spent = zero;
  for (let i = 0; i < 1000; i += 1) spent = boundedUp(add(spent, add(price, ratio(BigInt(i), 1000n))));
  expect(spent).toEqual(add(multiply(price, ratio(1000n)), ratio(4995n, 10n)));
});
