import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GridLaw } from "../law/grid-law.ts";
import type { Component, TiltPlan } from "../tilt/tilt-plan.ts";
import { composeByJumps } from "./jump-components.ts";

const pitch = 0.25;

/** A few masses on the grid, most of them low, a few rare ones high; in all more than 1 where much was rounded up. */
const law = fc
  .record({
    count: fc.integer({ min: 1, max: 4 }),
    first: fc.integer({ min: -6, max: 2 }),
    low: fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 }),
    gap: fc.integer({ min: 0, max: 12 }),
    high: fc.array(fc.double({ min: 1e-9, max: 1e-2, noNaN: true }), { minLength: 0, maxLength: 3 }),
    whole: fc.constantFrom(1, 1.001, 1.5),
  })
  .map(({ count, first, low, gap, high, whole }) => {
    const mass = [...low, ...Array.from({ length: gap }, () => 0), ...high];
    const total = mass.reduce((a, b) => a + b, 0);
    const grid: GridLaw = {
      ...{ pitch, offset: 0, first, infinite: 0, widest: pitch },
      mass: Float64Array.from(mass, (one) => (whole * one) / total),
    };
    return { law: grid, count };
  });
const laws = fc.array(law, { minLength: 1, maxLength: 2 });

/** Σ mass·(1 − e^{ε − loss})₊ over all sums, loss by loss. */
function deltaOf(all: readonly { law: GridLaw; count: number }[], epsilon: number): number {
  let sums = new Map<number, number>([[0, 1]]);
  for (const { law: one, count } of all) {
    for (let i = 0; i < count; i++) {
      const next = new Map<number, number>();
      for (const [at, weight] of sums)
        one.mass.forEach((mass, j) => {
          if (mass > 0) next.set(at + one.first + j, (next.get(at + one.first + j) ?? 0) + weight * mass);
        });
      sums = next;
    }
  }
  let delta = 0;
  for (const [at, mass] of sums) delta += mass * Math.max(0, -Math.expm1(epsilon - at * pitch));
  return delta;
}

/** Every number of jumps up to `most`, under tilts that need not be good ones. */
function planOf(
  counts: readonly number[],
  cut: number,
  cap: number,
  most: number,
  tilts: readonly number[],
): TiltPlan {
  const components: Component[] = [];
  const each = (jumps: number[]): void => {
    if (jumps.length === counts.length) {
      if (jumps.reduce((a, b) => a + b, 0) > most) return;
      const tilt = tilts[components.length % tilts.length]!;
      const saddle = { tilt, mean: 1, deviation: 1, log: 0, logDelta: -5 };
      components.push({ jumps, logWays: 0, saddle });
      return;
    }
    for (let j = 0; j <= counts[jumps.length]!; j++) each([...jumps, j]);
  };
  each([]);
  return { epsilon: 1, cut, cap, components, mostJumps: most, deviation: 1, tilt: 1, logDelta: -5 };
}

describe("a law composed by its numbers of jumps", () => {
  it("holds δ between its ends, whatever the cut, the cap, the tilts and how many jumps are counted", () => {
    fc.assert(
      fc.property(
        laws,
        fc.constantFrom(-0.5, 0.1, 1, 2.1, Number.POSITIVE_INFINITY),
        fc.constantFrom(0.6, 1.9, 3, Number.POSITIVE_INFINITY),
        fc.integer({ min: 0, max: 8 }),
        fc.array(fc.constantFrom(0, 0.5, 2, 9), { minLength: 1, maxLength: 3 }),
        (all, cut, cap, most, tilts) => {
          const plan = planOf(
            all.map(({ count }) => count),
            cut,
            cap,
            most,
            tilts,
          );
          const upper = composeByJumps(all, "upper", plan, 1e-9, 1)!;
          const lower = composeByJumps(all, "lower", plan, 1e-9, 1)!;
          for (let epsilon = 0; epsilon < 9; epsilon += 0.41) {
            const truth = deltaOf(all, epsilon);
            expect(upper.finitePart(epsilon)).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
            expect(lower.finitePart(epsilon)).toBeLessThanOrEqual(truth * (1 + 1e-12));
          }
        },
      ),
      { numRuns: 300, seed: 5 },
    );
  });

  it("counted whole, has both ends at δ", () => {
    const mass = Float64Array.of(0.6, 0.39, 0, 0, 0, 0, 0, 0, 0, 9e-3, 1e-3);
    const all = [{ law: { pitch, offset: 0, first: -1, infinite: 0, widest: pitch, mass }, count: 3 }];
    const plan = planOf([3], 1, Number.POSITIVE_INFINITY, 3, [1]);
    for (const epsilon of [0.3, 1.7, 2.2, 4, 6]) {
      const truth = deltaOf(all, epsilon);
      const [upper, lower] = (["upper", "lower"] as const).map((end) =>
        composeByJumps(all, end, plan, 1e-14, 1)!.finitePart(epsilon),
      );
      expect(upper! - lower!).toBeLessThan(1e-9 * truth);
    }
  });
});
