import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GridLaw } from "../law/grid-law.ts";
import { composeLaws } from "./composed-law.ts";

const pitch = 0.25;

/** A few masses on the grid, far apart or near, heavy or light. */
const laws = fc
  .array(
    fc.record({
      count: fc.integer({ min: 1, max: 4 }),
      first: fc.integer({ min: -12, max: 6 }),
      offset: fc.constantFrom(0, 0.1),
      mass: fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-12, max: 1, noNaN: true })), {
        minLength: 1,
        maxLength: 12,
      }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .filter((all) => all.every(({ mass }) => mass.some((one) => one > 0)))
  .map((all) =>
    all.map(({ count, first, offset, mass }) => {
      const total = mass.reduce((a, b) => a + b, 0);
      const law: GridLaw = {
        ...{ pitch, offset, first, infinite: 0, widest: pitch },
        mass: Float64Array.from(mass, (one) => one / total),
      };
      return { law, count };
    }),
  );

/** Σ mass·(1 − e^{ε − loss})₊ over all sums, loss by loss. */
function deltaOf(all: readonly { law: GridLaw; count: number }[], epsilon: number): number {
  let sums = new Map<number, number>([[0, 1]]);
  let offset = 0;
  for (const { law, count } of all) {
    for (let i = 0; i < count; i++) {
      const next = new Map<number, number>();
      offset += law.offset;
      for (const [at, weight] of sums)
        law.mass.forEach((mass, j) => {
          if (mass > 0) next.set(at + law.first + j, (next.get(at + law.first + j) ?? 0) + weight * mass);
        });
      sums = next;
    }
  }
  let delta = 0;
  for (const [at, mass] of sums) delta += mass * Math.max(0, -Math.expm1(epsilon - offset - at * pitch));
  return delta;
}

describe("a composed law", () => {
  it("holds δ between its ends at every ε, however short its window is", () => {
    fc.assert(
      fc.property(
        laws,
        fc.constantFrom(0, 0.3, 1, 4, 400, 20000),
        fc.constantFrom(1e-12, 1e-3, 0.2, 0.9),
        fc.constantFrom(0, 1, 3),
        (all, tilt, leakage, margin) => {
          const how = { laws: all, tilt, leakage, margin };
          const [upper, lower] = [
            composeLaws({ ...how, end: "upper" }),
            composeLaws({ ...how, end: "lower" }),
          ];
          for (let epsilon = 0; epsilon < 12; epsilon += 0.37) {
            const truth = deltaOf(all, epsilon);
            expect(upper!.finitePart(epsilon)).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
            expect(lower!.finitePart(epsilon)).toBeLessThanOrEqual(truth * (1 + 1e-12));
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it("whose window is too short for what is asked folds mass that the lower end takes off", () => {
    // A binomial of 4096 steps in a window of a few deviations.
    const law: GridLaw = {
      pitch,
      offset: 0,
      first: -1,
      infinite: 0,
      widest: pitch,
      mass: Float64Array.of(0.5, 0, 0.5),
    };
    const compose = (end: "upper" | "lower", leakage: number) =>
      composeLaws({ laws: [{ law, count: 4096 }], end, tilt: 0.02, leakage, margin: 1 })!;
    const [wide, narrow] = [compose("upper", 1e-12), compose("upper", 0.5)];
    expect(narrow.size).toBeLessThan(wide.size);
    for (const epsilon of [5, 20, 40]) {
      const [least, most] = [compose("lower", 1e-12).finitePart(epsilon), wide.finitePart(epsilon)];
      expect(most - least).toBeLessThan(1e-6 * most);
      expect(compose("lower", 0.5).finitePart(epsilon)).toBeLessThanOrEqual(least);
      expect(narrow.finitePart(epsilon)).toBeGreaterThanOrEqual(most * (1 - 1e-9));
    }
  });

  it("tilted to where next to no mass is still bounds δ below its mean", () => {
    // Three losses of ¼ have the probability 1e-330, which no double holds; two of them have 3e-220.
    const law: GridLaw = {
      pitch,
      offset: 0,
      first: 0,
      infinite: 0,
      widest: pitch,
      mass: Float64Array.of(1, 1e-110),
    };
    const steps = [{ law, count: 3 }];
    for (const tilt of [1030, 1100, 2000]) {
      const upper = composeLaws({ laws: steps, end: "upper", tilt, leakage: 1e-12, margin: 3 })!;
      for (const epsilon of [0.2, 0.3, 0.45]) {
        expect(upper.finitePart(epsilon)).toBeGreaterThanOrEqual(deltaOf(steps, epsilon) * (1 - 1e-12));
      }
    }
  });
});
