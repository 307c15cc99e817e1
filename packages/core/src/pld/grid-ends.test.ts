import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeToCentroids } from "./centroid-merge.ts";
import { connectDots } from "./connect-dots.ts";

const pitch = 0.125;
const first = -8;
const lossOf = (point: number): number => (first + point) * pitch;

/** Masses in half bins, at losses inside them. */
const halfBins = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 31 }),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      fc.double({ min: 1e-12, max: 1, noNaN: true }),
    ),
    { minLength: 1, maxLength: 20 },
  )
  .map((rows) => {
    const p = new Float64Array(32);
    const q = new Float64Array(32);
    const atoms: { loss: number; mass: number }[] = [];
    for (const [k, inside, mass] of rows) {
      const loss = first * pitch + (k + inside) * (pitch / 2);
      p[k]! += mass;
      q[k]! += mass * Math.exp(-loss);
      atoms.push({ loss, mass });
    }
    return { p, q, atoms };
  });

const deltaOfAtoms = (atoms: readonly { loss: number; mass: number }[], epsilon: number): number =>
  atoms.reduce((sum, { loss, mass }) => sum + mass * Math.max(0, -Math.expm1(epsilon - loss)), 0);
const deltaOfGrid = (mass: Float64Array, epsilon: number): number =>
  deltaOfAtoms(
    Array.from(mass, (m, i) => ({ loss: lossOf(i), mass: m })),
    epsilon,
  );
const epsilons = fc.double({ min: -1.2, max: 1.2, noNaN: true });

describe("a bin's ends", () => {
  it("lose no less at any ε, and keep ∫dP and ∫dQ", () => {
    fc.assert(
      fc.property(halfBins, epsilons, ({ p, q, atoms }, epsilon) => {
        const mass = new Float64Array(18);
        connectDots(p, q, lossOf, pitch, mass);
        expect(deltaOfGrid(mass, epsilon)).toBeGreaterThanOrEqual(deltaOfAtoms(atoms, epsilon) - 1e-13);
        const [sum, total] = [mass, p].map((x) => x.reduce((a, b) => a + b, 0));
        expect(Math.abs(sum! - total!)).toBeLessThan(1e-13 * total!);
        const kept = mass.reduce((a, m, i) => a + m * Math.exp(-lossOf(i)), 0);
        expect(Math.abs(kept / q.reduce((a, b) => a + b, 0) - 1)).toBeLessThan(1e-12);
      }),
    );
  });
});

describe("centroids", () => {
  it("lose no more at any ε, and keep the mass", () => {
    fc.assert(
      fc.property(
        halfBins,
        epsilons,
        fc.double({ min: 0.1, max: 5, noNaN: true }),
        ({ p, q, atoms }, epsilon, reach) => {
          const mass = mergeToCentroids({
            p,
            q,
            points: new Float64Array(17),
            lossOf,
            pitch,
            reach,
            snap: 1e-14,
          });
          expect(deltaOfGrid(mass, epsilon)).toBeLessThanOrEqual(deltaOfAtoms(atoms, epsilon) + 1e-12);
          const [sum, total] = [mass, p].map((x) => x.reduce((a, b) => a + b, 0));
          expect(Math.abs(sum! - total!)).toBeLessThan(1e-12 * total!);
        },
      ),
    );
  });

  it("of an even law are an even grid: nothing goes down but at the end", () => {
    const p = new Float64Array(32).fill(1 / 32);
    const q = p.map((mass, k) => mass * Math.exp(-(first * pitch + (k + 0.5) * (pitch / 2))));
    const mass = mergeToCentroids({
      p,
      q,
      points: new Float64Array(17),
      lossOf,
      pitch,
      reach: 5,
      snap: 1e-14,
    });
    const mean = (x: Float64Array): number => x.reduce((sum, m, i) => sum + m * Math.exp(-lossOf(i)), 0);
    expect(mean(mass) / q.reduce((a, b) => a + b, 0) - 1).toBeLessThan(0.01);
    expect(mean(mass) / q.reduce((a, b) => a + b, 0) - 1).toBeGreaterThanOrEqual(-1e-12);
  });
});
