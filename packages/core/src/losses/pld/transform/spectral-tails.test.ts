import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TailWindow } from "../tilt/tail-window.ts";
import { tiltedMoments, tiltLaw } from "../tilt/tilted-law.ts";
import { entryTails } from "./entry-tails.ts";
import { sharpSpectralTails, spectralTails } from "./spectral-tails.ts";
import { massesOf, sumSpectrum } from "./spectrum-power.ts";

const cases = fc
  .record({
    masses: fc.array(fc.double({ min: 1e-6, max: 1, noNaN: true }), { minLength: 2, maxLength: 9 }),
    first: fc.integer({ min: -6, max: 3 }),
    offset: fc.constantFrom(0, 0.003),
    pitch: fc.constantFrom(1e-3, 0.05, 0.4),
    count: fc.constantFrom(1, 3, 40, 2000),
    tilt: fc.constantFrom(0, 1e-7, 0.4, 3, 40),
    size: fc.constantFrom(64, 1024),
  })
  .map(({ masses, first, offset, pitch, count, tilt, size }) => {
    const total = masses.reduce((a, b) => a + b, 0);
    const mass = Float64Array.from(masses, (one) => one / total);
    const law = tiltLaw({ pitch, offset, first, mass, infinite: 0, widest: pitch }, tilt);
    const mean = count * tiltedMoments(law).mean;
    const bottom = Math.floor((mean - count * offset) / pitch) - size / 2 + 8;
    const window: TailWindow = {
      ...{ pitch, offset: count * offset, bottom, count: size - 16, tilt, mean },
    };
    return { summands: [{ law, count }], window, size };
  });

describe("tails from a spectrum", () => {
  it("are those of the masses, within what both may be off", () => {
    let compared = 0;
    fc.assert(
      fc.property(cases, ({ summands, window, size }) => {
        const spectrum = sumSpectrum(summands, size);
        const fromSpectrum = spectralTails(spectrum, window);
        const masses = massesOf(spectrum);
        const [most, least] = [entryTails(masses, window, "upper"), entryTails(masses, window, "lower")];
        for (const share of [-0.1, 0, 0.2, 0.45, 0.5, 0.55, 0.7, 0.99, 1.2]) {
          const epsilon = window.offset + (window.bottom + Math.floor(share * window.count)) * window.pitch;
          const [mine, upper, lower] = [fromSpectrum(epsilon), most(epsilon), least(epsilon)];
          if (!Number.isFinite(mine.sum + mine.noise + upper.sum + upper.noise)) continue;
          compared++;
          expect(mine.sum + mine.noise).toBeGreaterThanOrEqual(lower.sum - lower.noise);
          expect(mine.sum - mine.noise).toBeLessThanOrEqual(upper.sum + upper.noise);
        }
      }),
      { numRuns: 500 },
    );
    expect(compared).toBeGreaterThan(2000);
  });

  it("are bounds of one truth far above the mean of a steep tilt, where e^{−loss} of a mass is no double", () => {
    const [count, size, pitch] = [2000, 1024, 0.4];
    const mass = Float64Array.of(0.26, 0.02, 0.01, 0.03, 0.68);
    const law = { pitch, offset: 0, first: 1, mass, shift: 0, massError: 0 };
    const window: TailWindow = { pitch, offset: 0, bottom: 7180, count: 1008, tilt: 3, mean: 3080 };
    let sums = Float64Array.of(1);
    for (let n = 0; n < count; n++) {
      const next = new Float64Array(sums.length + 4);
      for (const [i, sum] of sums.entries()) for (const [j, one] of mass.entries()) next[i + j]! += sum * one;
      sums = next;
    }
    const spectrum = sumSpectrum([{ law, count }], size);
    const masses = massesOf(spectrum);
    const spectral = spectralTails(spectrum, window);
    const [most, least] = [entryTails(masses, window, "upper"), entryTails(masses, window, "lower")];
    const last = window.bottom + window.count - 1;
    for (const from of [7700, 7900, 8000, 8150, 8180]) {
      let truth = 0;
      for (let index = from + 1; index <= last; index++) {
        let folded = 0;
        for (let i = index - 2000; i < sums.length; i += size) folded += sums[i]!;
        for (let i = index - 2000 - size; i >= 0; i -= size) folded += sums[i]!;
        truth += folded * Math.exp(-3 * (index * pitch - window.mean)) * -Math.expm1((from - index) * pitch);
      }
      const epsilon = from * pitch;
      const [upper, lower, mine] = [most(epsilon), least(epsilon), spectral(epsilon)];
      expect(upper.sum + upper.noise).toBeGreaterThanOrEqual(truth * (1 - 1e-9));
      expect(lower.sum - lower.noise).toBeLessThanOrEqual(truth * (1 + 1e-9));
      expect(mine.sum + mine.noise).toBeGreaterThanOrEqual(truth * (1 - 1e-9));
      expect(mine.sum - mine.noise).toBeLessThanOrEqual(truth * (1 + 1e-9));
      expect(upper.sum).toBeGreaterThan(0);
      expect(lower.sum).toBeLessThan(upper.sum);
    }
  });

  it("are sharp: of a binomial law each weighted tail, summed one by one, to 1e-9", () => {
    const [count, pitch] = [400, 0.02];
    const law = tiltLaw(
      { pitch, offset: 0, first: -1, mass: Float64Array.of(0.5, 0, 0.5), infinite: 0, widest: pitch },
      0,
    );
    const window: TailWindow = { pitch, offset: 0, bottom: -450, count: 901, tilt: 0, mean: 0 };
    const tails = spectralTails(sumSpectrum([{ law, count }], 1024), window);
    const masses = [2 ** -400];
    for (let k = 1; k <= count; k++) masses.push((masses[k - 1]! * (count - k + 1)) / k);
    for (const epsilon of [-0.5, 0, 0.31, 1]) {
      let truth = 0;
      for (const [k, mass] of masses.entries()) {
        truth += mass * Math.max(0, -Math.expm1(epsilon - (2 * k - count) * pitch));
      }
      const { sum, noise } = tails(epsilon);
      expect(Math.abs(sum - truth)).toBeLessThanOrEqual(noise);
      expect(noise).toBeLessThan(1e-9);
      expect(Math.abs(sum - truth)).toBeLessThan(1e-13);
    }
  });

  it("are taken of many steps, not of a few, and not where rounding would be seen", () => {
    const mass = new Float64Array(201).fill(1 / 201);
    const [pitch, size] = [1e-3, 1 << 14];
    const law = tiltLaw({ pitch, offset: 0, first: -100, mass, infinite: 0, widest: pitch }, 0);
    const window: TailWindow = { pitch, offset: 0, bottom: -8000, count: 16_000, tilt: 0, mean: 0 };
    const taken = (count: number, lost: number): boolean =>
      sharpSpectralTails(sumSpectrum([{ law, count }], size), window, lost) !== null;
    expect([taken(1, 1e-6), taken(3, 1e-6), taken(100, 1e-6)]).toEqual([false, false, true]);
    expect(taken(100, 1e-15)).toBe(false);
  });
});
