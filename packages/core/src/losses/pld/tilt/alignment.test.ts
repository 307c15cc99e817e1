import { describe, expect, it } from "vitest";
import { commonDivisor, latticeOf } from "../law/lattice.ts";
import { stepAtoms } from "../law/step-law.ts";
import { type DominatingPair, finitePair, gaussianPair, laplacePair, twoPointPair } from "../pairs/index.ts";
import { planSteps } from "../transform/grid-steps.ts";
import { alignedPitch, alignmentOf } from "./alignment.ts";

const steps = (...pairs: readonly (readonly [DominatingPair, number])[]) =>
  planSteps(pairs.map(([pair, count]) => ({ pair, count: BigInt(count) })));
const atomsOf = (...losses: readonly number[]) => ({
  losses: Float64Array.from(losses),
  p: new Float64Array(losses.length).fill(1),
  q: new Float64Array(losses.length).fill(1),
});

describe("a grid through the atoms", () => {
  it("has the greatest common divisor of the distances between the first and the last", () => {
    const { offsets, span, strays } = alignmentOf(steps([laplacePair(1), 1], [laplacePair(1.5), 9]));
    expect(offsets).toEqual([-1, -1.5]);
    expect(span).toBeCloseTo(1, 12);
    expect(strays).toEqual([
      { losses: [], discrete: false },
      { losses: [], discrete: false },
    ]);
  });

  it("is that of the commonest step where there is no common one, and the others' atoms are strays", () => {
    const pairs = [
      [laplacePair(1), 3],
      [laplacePair(Math.SQRT2), 5],
      [laplacePair(Math.sqrt(3)), 4],
    ] as const;
    const { offsets, span, strays } = alignmentOf(steps(...pairs));
    expect(offsets).toEqual([-1, -Math.SQRT2, -Math.sqrt(3)]);
    expect(span).toBe(2 * Math.SQRT2);
    expect(strays.map(({ losses }) => losses)).toEqual([[1], [], [Math.sqrt(3)]]);
  });

  it("is laid through the two heaviest atoms of a discrete law, by either side, in their order", () => {
    const pair = finitePair([0.1, 0.2, 0.3, 0.4], [0.6, 0.2, 0.15, 0.05]);
    const heaviest = [Math.log(0.1 / 0.6), Math.log(0.4 / 0.05)];
    const { offsets, span, strays } = alignmentOf(steps([pair, 2]));
    expect(offsets[0]).toBeCloseTo(heaviest[0]!, 14);
    expect(span).toBeCloseTo(heaviest[1]! - heaviest[0]!, 14);
    expect(strays).toEqual([{ losses: [], discrete: true }]);
    // Beside a step that is run more often, its upper atom strays, and the lower one is its grid point.
    const beside = alignmentOf(steps([pair, 2], [laplacePair(1), 3]));
    expect(beside.span).toBe(2);
    expect(beside.strays[0]!.losses).toHaveLength(1);
    expect(beside.strays[0]!.losses[0]).toBeCloseTo(heaviest[1]!, 14);
  });

  it("may lie anywhere where there are no atoms, or one", () => {
    expect(alignmentOf(steps([gaussianPair(1), 4]))).toEqual({
      ...{ offsets: [null], span: 0, strays: [{ losses: [], discrete: false }] },
    });
    expect(alignmentOf(steps([twoPointPair(0, 0.1), 4]))).toMatchObject({ offsets: [0], span: 0 });
  });

  it("has the greatest pitch up to one that is wanted", () => {
    const at = (span: number, pitch: number): number =>
      alignedPitch({ offsets: [], strays: [], span }, pitch);
    expect(at(2, 0.3)).toBe(2 / 7);
    expect(at(2, 0.5)).toBe(0.5);
    expect(at(2, 5)).toBe(2);
    expect(at(0, 0.3)).toBe(0.3);
  });
});

describe("a common divisor in doubles", () => {
  it("is Euclid's, whatever the order, and that of one number and 0 is the number", () => {
    expect(commonDivisor(6, 4)).toBe(2);
    expect(commonDivisor(4, 6)).toBe(2);
    expect(commonDivisor(0, 5)).toBe(5);
    expect(commonDivisor(0.3, 0.7)).toBeCloseTo(0.1, 12);
    expect(commonDivisor(7, 7)).toBe(7);
  });
  it("is none of numbers without a common measure well above their rounding", () => {
    expect(commonDivisor(1, Math.SQRT2)).toBeNaN();
    expect(commonDivisor(1, 1 / 99_991)).toBeCloseTo(1 / 99_991, 15);
    expect(commonDivisor(1, 1 / 100_003 + 1e-9)).toBeNaN();
  });
});

describe("a lattice of losses", () => {
  it("is the coarsest that holds every loss of every pair", () => {
    const pairs = [twoPointPair(1, 0), twoPointPair(1.5, 0)].map(stepAtoms);
    const { pitch, offsets, misfits } = latticeOf(pairs)!;
    expect(pitch).toBeCloseTo(1, 14);
    expect(offsets[0]).toBeCloseTo(-1, 14);
    expect(offsets[1]).toBeCloseTo(-1.5, 14);
    for (const misfit of misfits) expect(misfit).toBeLessThan(1e-14);
    expect(latticeOf([atomsOf(0, 0.3, 0.7, 1.9)])!.pitch).toBeCloseTo(0.1, 12);
    // One loss alone lies on every lattice.
    expect(latticeOf([atomsOf(0.7)])).toEqual({ pitch: 1, offsets: [0.7], misfits: [0] });
  });

  it("states how far the losses lie from it, and holds none that lie 1e-11 off", () => {
    const near = latticeOf([atomsOf(0, 1 + 1e-12, 2, 3)])!;
    expect(near.misfits[0]).toBeGreaterThan(0.9e-12);
    expect(near.misfits[0]).toBeLessThan(1.1e-12);
    expect(latticeOf([atomsOf(0, 1 + 1e-10, 2, 3)])).toBeNull();
  });

  it("is none for no losses, too many, none in common, or too many points", () => {
    const many = (count: number) => atomsOf(...Array.from({ length: count }, (_, i) => i));
    expect(latticeOf([many(4096)])!.pitch).toBeCloseTo(1, 12);
    expect(latticeOf([many(4097)])).toBeNull();
    expect(latticeOf([many(3), atomsOf()])).toBeNull();
    expect(latticeOf([atomsOf(0, 1, 1 + Math.SQRT2)])).toBeNull();
    expect(latticeOf([atomsOf(0, 1, 2 ** 15)])!.pitch).toBeCloseTo(1, 12);
    expect(latticeOf([atomsOf(0, 1, 2 ** 16, 2 ** 23)])).toBeNull();
  });
});
