import { noiseQuantile } from "@lethe/core/accuracy";
import type { Noise } from "@lethe/core/mechanisms";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isNarrower } from "./is-narrower.ts";

const laplace = (scale: string): Noise => ({ mechanism: "discrete-laplace@1", scale });
const gaussian = (sigma: string): Noise => ({ mechanism: "rounded-gaussian@1", sigma });

/** One measurement that a unit moves by `l1`, with its noise. */
function measured(noise: Noise, importance = 1, magnitude = 1n): Parameters<typeof isNarrower>[0][number] {
  const terms = [{ sum: "s", coefficient: "1", coefficientOfCount: "0" }] as never;
  const range = { low: 0n, high: 1n };
  const known = { name: "m", range, terms, l1: 1n, l2Squared: 1n, magnitude, importance };
  const priced = [{ name: "m", terms, l1: "1", l2Squared: "1", noise }];
  return { measurements: [known], trees: [], totals: [], priced, pricedTrees: [], pricedTotals: [] };
}

it("is what the exact quantiles say", () => {
  const noise = fc
    .tuple(fc.integer({ min: 1, max: 4000 }), fc.boolean())
    .map(([size, isLaplace]) => (isLaplace ? laplace(`${size}/100`) : gaussian(`${size}/100`)));
  const part = fc.tuple(noise, fc.constantFrom(1, 2, 1 / 8), fc.constantFrom(0n, 1n, 3n));
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  const exact = (all: readonly (readonly [Noise, number, bigint])[]): number =>
    all.reduce(
      (total, [of, importance, magnitude]) =>
        magnitude === 0n
          ? total
          : total + (Math.sqrt(importance) * Number(noiseQuantile(of, 0.95))) / Number(magnitude),
      0,
    );
  fc.assert(
    fc.property(parts, parts, (these, those) => {
      const asParts = (all: typeof these) => all.map((each) => measured(...each));
      expect(isNarrower(asParts(these), asParts(those))).toBe(exact(these) < exact(those));
    }),
    { seed: 3, numRuns: 300 },
  );
});

it("computes exactly what doubles cannot tell", () => {
  // At confidence 0.95 the quantile steps from 2 to 3 between these two scales, which are one double.
  const [below, above] = [laplace("0.879603705693419963351376"), laplace("0.879603705693419963351377")];
  expect(isNarrower([measured(below)], [measured(above)])).toBe(true);
  expect(isNarrower([measured(above)], [measured(below)])).toBe(false);
  expect(isNarrower([measured(above)], [measured(above)])).toBe(false);
});
