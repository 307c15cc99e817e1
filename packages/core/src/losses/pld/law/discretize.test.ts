import { describe, expect, it } from "vitest";
import { type DominatingPair, finitePair, gaussianPair, laplacePair, twoPointPair } from "../pairs/index.ts";
import { type Discretization, discretize } from "./discretize.ts";
import type { GridLaw } from "./grid-law.ts";
import { evenSpacing } from "./spacing.ts";

const how: Discretization = {
  ...{
    pitch: 0.5,
    offset: 0,
    tail: 1e-12,
    reach: 2,
    lowest: -1,
    highest: 1,
    misfit: 0,
    spacing: evenSpacing,
  },
};
const step = (pair: DominatingPair, change: Partial<Discretization> = {}) =>
  discretize(pair, { ...how, ...change });
const sum = ({ mass }: GridLaw): number => mass.reduce((a, b) => a + b, 0);
const lossAt = ({ pitch, offset, first }: GridLaw, i: number): number => offset + (first + i) * pitch;
const deltaOf = (law: GridLaw, epsilon: number): number =>
  law.mass.reduce(
    (total, mass, i) => total + mass * Math.max(0, -Math.expm1(epsilon - lossAt(law, i))),
    law.infinite,
  );
/** ∫dQ of the masses. */
const other = (law: GridLaw): number =>
  law.mass.reduce((total, mass, i) => total + mass * Math.exp(-lossAt(law, i)), 0);

describe("a pair on a grid that holds its losses", () => {
  const { forward, mirrored } = step(twoPointPair(1, 0.1));
  it("has its masses where they are, at both ends and both ways", () => {
    const [likely, unlikely] = [0.9 / (1 + Math.exp(-1)), 0.9 / (1 + Math.E)];
    for (const side of [forward(), mirrored()]) {
      for (const law of [side.upper(), side.lower()]) {
        expect(law).toMatchObject({ pitch: 0.5, first: -2 });
        const due = [unlikely, 0, 0, 0, likely];
        expect(law.mass).toHaveLength(5);
        for (const [i, mass] of due.entries()) expect(law.mass[i]!).toBeCloseTo(mass, 14);
      }
      expect(side.upper().infinite).toBeGreaterThanOrEqual(0.1);
      expect(side.lower().infinite).toBeLessThanOrEqual(0.1);
      expect(side.upper().infinite - side.lower().infinite).toBeLessThan(1e-12);
    }
  });

  it("is made once, when it is first asked for", () => {
    expect(forward()).toBe(forward());
    expect(forward().upper()).toBe(forward().upper());
    expect(forward().lower()).toBe(forward().lower());
    expect(forward().upper()).not.toBe(mirrored().upper());
  });
});

describe("a pair on a grid between whose points it lies", () => {
  it.each([
    ["two points", twoPointPair(0.8, 0.01)],
    ["a finite pair", finitePair([0.5, 0.3, 0.2], [0.1, 0.4, 0.5])],
    ["Laplace noise", laplacePair(0.9)],
  ])("loses no less at its upper end, and no more at its lower: %s", (_name, pair) => {
    const truth = (epsilon: number, way: 1 | -1): number => {
      let total = way === 1 ? pair.infiniteP : pair.infiniteQ;
      const fine = {
        edge: (k: number) => k / 1e3,
        cell: (x: number) => Math.floor(x * 1e3),
        atom: (x: number) => x,
      };
      pair.emit(fine, 1e-20, (_cell, p, q) => {
        total += way === 1 ? Math.max(0, p - Math.exp(epsilon) * q) : Math.max(0, q - Math.exp(epsilon) * p);
      });
      return total;
    };
    for (const pitch of [0.5, 0.13]) {
      const { forward, mirrored } = step(pair, { pitch, offset: 0.07 });
      for (const [side, way] of [
        [forward(), 1],
        [mirrored(), -1],
      ] as const) {
        const [upper, lower] = [side.upper(), side.lower()];
        for (const epsilon of [0, 0.2, 0.55]) {
          expect(deltaOf(upper, epsilon)).toBeGreaterThanOrEqual(truth(epsilon, way) - 1e-12);
          // Cells of a thousandth tell less than the law itself by a millionth.
          expect(deltaOf(lower, epsilon)).toBeLessThanOrEqual(truth(epsilon, way) + 1e-6);
          expect(deltaOf(upper, epsilon) - deltaOf(lower, epsilon)).toBeLessThan(0.5 * pitch);
        }
        // The upper end keeps both masses, the lower one that of P.
        const told = way === 1 ? [pair.infiniteP, pair.infiniteQ] : [pair.infiniteQ, pair.infiniteP];
        expect(sum(upper)).toBeCloseTo(1 - told[0]!, 11);
        expect(other(upper)).toBeCloseTo(1 - told[1]!, 11);
        expect(sum(lower)).toBeCloseTo(1 - told[0]!, 11);
        expect(other(lower)).toBeGreaterThanOrEqual(1 - told[1]! - 1e-11);
        expect(upper.widest).toBe(pitch);
        // Nothing but masses between the outermost.
        for (const law of [upper, lower]) {
          expect(law.mass[0]!).toBeGreaterThan(0);
          expect(law.mass.at(-1)!).toBeGreaterThan(0);
        }
      }
      expect(mirrored().upper().offset).toBe(-forward().upper().offset);
    }
  });
});

describe("what an emission leaves out", () => {
  it("is lifted to the lowest mass or to ∞ for an upper end, and missing from a lower", () => {
    const { forward, mirrored } = step(gaussianPair(1), { tail: 1e-3, pitch: 0.1, lowest: -4, highest: 5 });
    for (const side of [forward(), mirrored()]) {
      const [upper, lower] = [side.upper(), side.lower()];
      expect(upper.infinite).toBeGreaterThan(0.9e-4);
      expect(upper.infinite).toBeLessThanOrEqual(1.1e-3);
      expect(lower.infinite).toBe(0);
      expect(sum(upper) + upper.infinite).toBeGreaterThanOrEqual(1 - 1e-12);
      expect(sum(lower)).toBeLessThanOrEqual(1 + 1e-12);
      expect(sum(lower)).toBeGreaterThan(1 - 2.1e-3);
      // One tail below, one above: what is lifted stands at the lowest loss.
      expect(sum(upper)).toBeGreaterThan(sum(lower));
      expect(upper.mass[0]!).toBeGreaterThan(upper.mass[1]!);
    }
  });

  it("of a pair without a finite loss is all", () => {
    const { forward } = step(twoPointPair(1, 1));
    expect(forward().upper()).toMatchObject({ infinite: 1, mass: new Float64Array(0) });
    expect(forward().lower().mass).toHaveLength(0);
    expect(forward().lower().infinite).toBeGreaterThan(1 - 2e-12);
  });
});

describe("the errors of a step", () => {
  it("are those of its masses, of its grid, and of what its pair declares", () => {
    const plain = step(twoPointPair(1, 0));
    expect(plain.massError).toBeGreaterThanOrEqual(1e-12);
    expect(plain.massError).toBeLessThan(1e-11);
    expect(plain.lossError).toBeGreaterThan(0);
    expect(plain.lossError).toBeLessThan(1e-13);
    // Cells of a density are cut with an error of their own, and errors add up.
    expect(step(laplacePair(1)).lossError).toBeGreaterThan(1e-12 * 0.5);
    expect(step(twoPointPair(1, 0), { misfit: 1e-9 }).lossError).toBeGreaterThanOrEqual(2e-9);
    expect(step({ ...twoPointPair(1, 0), lossError: 1e-9 }).lossError).toBeGreaterThanOrEqual(2e-9);
    expect(
      step({ ...twoPointPair(1, 0), lossError: 1e-9 }, { misfit: 1e-9 }).lossError,
    ).toBeGreaterThanOrEqual(4e-9);
    expect(step({ ...twoPointPair(1, 0), lossError: 1e-9 }).lossError).toBeLessThan(1e-8);
  });
});
