import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { realFft } from "../../../numeric/fft/index.ts";
import type { TiltedLaw } from "../tilt/tilted-law.ts";
import { DirectTransform, directError, massBlocksOf } from "./direct-transform.ts";
import { massesOf, sumSpectrum } from "./spectrum-power.ts";

const size = 4096;

const lawOf = (first: number, mass: Float64Array): TiltedLaw => {
  const total = mass.reduce((a, b) => a + b, 0);
  const own = mass.map((one) => one / total);
  return { pitch: 1e-3, offset: 0, first, mass: own, shift: 0, massError: 0 };
};

/** Dense near its middle, thinned farther out, as a widened grid makes it. */
const laws = fc
  .record({
    first: fc.integer({ min: -3000, max: 500 }),
    length: fc.integer({ min: 1, max: 1500 }),
    gap: fc.constantFrom(1, 2, 64),
    width: fc.constantFrom(3, 40, 400),
  })
  .map(({ first, length, gap, width }) =>
    lawOf(
      first,
      Float64Array.from({ length }, (_, i) => {
        const distance = Math.abs(i - length / 2) / width;
        return (distance < 1 || i % gap === 0 ? Math.exp(-distance) : 0) + (i === 0 ? 1e-9 : 0);
      }),
    ),
  );

describe("a coefficient by itself", () => {
  it("is that of the whole transform, within what it may be off", () => {
    const [folded, re, im] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
    fc.assert(
      fc.property(laws, fc.integer({ min: 0, max: size / 2 }), (law, k) => {
        folded.fill(0);
        for (const [i, mass] of law.mass.entries()) folded[(law.first + i + size) % size]! += mass;
        realFft(size).forward(folded, re, im);
        const blocks = massBlocksOf(law);
        const own = new DirectTransform(size).at(blocks, [k]);
        expect(directError(blocks)).toBeLessThan(1e-12);
        expect(Math.hypot(own.re[0]! - re[k]!, own.im[0]! - im[k]!)).toBeLessThan(
          directError(blocks) + 1e-15,
        );
        expect(Math.abs(blocks.total - 1)).toBeLessThan(1e-13);
      }),
      { numRuns: 200 },
    );
  });
});

describe("many laws", () => {
  it("most of them met at few frequencies, have the masses that they have one after the other", () => {
    const bump = (middle: number): TiltedLaw =>
      lawOf(
        middle - 60,
        Float64Array.from({ length: 121 }, (_, i) => Math.exp(-(((i - 60) / 20) ** 2))),
      );
    const summands = Array.from({ length: 40 }, (_, i) => ({ law: bump(i - 20), count: 1 + (i % 3) }));
    const spectrum = sumSpectrum(summands, size);
    // Met at so many: more were left when the first law had been transformed whole.
    expect(spectrum.frequencies.length).toBeLessThan(size / 16);
    const { mass, error } = massesOf(spectrum);
    expect(error).toBeLessThan(1e-13);
    let sums = new Float64Array(size);
    sums[0] = 1;
    for (const { law, count } of summands) {
      for (let copy = 0; copy < count; copy++) {
        const next = new Float64Array(size);
        for (const [at, weight] of sums.entries()) {
          if (weight < 1e-20) continue;
          for (const [i, one] of law.mass.entries())
            next[(at + law.first + i + size) % size]! += weight * one;
        }
        sums = next;
      }
    }
    let worst = 0;
    for (const [i, one] of sums.entries()) worst = Math.max(worst, Math.abs(one - mass[i]!));
    expect(worst).toBeLessThan(error + 1e-16);
  });
});
