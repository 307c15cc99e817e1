import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gaussianPair, laplacePair, sampledPair } from "../pairs/index.ts";
import { CellTally } from "./cell-tally.ts";
import { evenSpacing, spacingFor } from "./spacing.ts";
import { stepAtoms } from "./step-law.ts";

const spacings = fc
  .record({
    rate: fc.constantFrom(1, 0.3, 0.01, 1e-4),
    mu: fc.constantFrom(0.05, 0.6, 1.4, 5),
    pitch: fc.constantFrom(1e-2, 3e-4, 1e-5),
    offset: fc.constantFrom(0, -0.0123),
    tilt: fc.constantFrom(0, 0.5, 8, 60),
  })
  .map(({ rate, mu, ...needs }) => ({
    ...needs,
    spacing: spacingFor(stepAtoms(sampledPair(gaussianPair(mu), rate)), needs),
  }));

describe("a spacing", () => {
  it("has its places on grid points, in order, and each way undoes the other", () => {
    fc.assert(
      fc.property(spacings, fc.integer({ min: -50_000, max: 50_000 }), ({ spacing }, place) => {
        const index = spacing.gridOf(place);
        expect(Number.isInteger(index)).toBe(true);
        expect(spacing.placeOf(index)).toBe(place);
        const width = spacing.gridOf(place + 1) - index;
        expect(Number.isInteger(width) && width >= 1 && width <= spacing.widest).toBe(true);
        expect(spacing.gridOf(place + 0.5)).toBe(index + width / 2);
      }),
      { numRuns: 300 },
    );
  });

  it("widens where a step has little, and nowhere near where it has most", () => {
    const atoms = stepAtoms(sampledPair(gaussianPair(1 / 0.7), 256 / 60_000));
    const spacing = spacingFor(atoms, { pitch: 1e-4, offset: 0, tilt: 2 });
    // The bulk of a step is within ±0.004; its losses reach far above 1.
    expect(spacing.gridOf(spacing.placeOf(0) + 1)).toBe(spacing.gridOf(spacing.placeOf(0)) + 1);
    expect(spacing.widest).toBe(64);
    expect(spacing.placeOf(30_000) - spacing.placeOf(0)).toBeLessThan(0.15 * 30_000);
  });

  it("is even for a law of next to no atoms", () => {
    expect(
      spacingFor(
        { losses: Float64Array.of(-1, 1), p: Float64Array.of(0.3, 0.7), q: Float64Array.of(0.7, 0.3) },
        { pitch: 1e-3, offset: 0, tilt: 1 },
      ),
    ).toBe(evenSpacing);
  });

  it("loses no mass of an emission, and cuts it at the same losses", () => {
    for (const pair of [gaussianPair(1.4), sampledPair(gaussianPair(1.4), 0.01), laplacePair(0.8)]) {
      const [pitch, offset] = [1e-3, 0];
      const spacing = spacingFor(stepAtoms(pair), { pitch, offset, tilt: 3 });
      const tallies = [evenSpacing, spacing].map((own) => {
        const tally = new CellTally(pitch, offset, 0, -2, 2, own);
        pair.emit(tally, 1e-12, tally.add);
        return tally.halfBins();
      });
      const [even, thinned] = tallies.map(({ p, q, points, indices }) => {
        const upTo = new Map<number, { p: number; q: number }>();
        const sum = { p: 0, q: 0 };
        for (const [i, index] of indices.entries()) {
          upTo.set(index, { ...sum });
          sum.p += points[i]! + (p[2 * i] ?? 0) + (p[2 * i + 1] ?? 0);
          sum.q += (q[2 * i] ?? 0) + (q[2 * i + 1] ?? 0);
        }
        return upTo;
      });
      let compared = 0;
      for (const [index, below] of thinned!) {
        const same = even!.get(index);
        if (same === undefined) continue;
        compared++;
        expect(Math.abs(below.p - same.p)).toBeLessThan(1e-11);
        expect(Math.abs(below.q - same.q)).toBeLessThan(1e-11);
      }
      expect(compared).toBeGreaterThan(100);
    }
  });
});
