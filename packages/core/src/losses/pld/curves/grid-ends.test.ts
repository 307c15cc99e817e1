import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeToCentroids } from "../law/centroid-merge.ts";
import { connectDots } from "../law/connect-dots.ts";

const grid = { pitch: 0.125, offset: 0 };
const bins = 16;

/** Places some pitches apart, from index −8 on. */
const spacings = fc
  .array(fc.constantFrom(1, 1, 1, 2, 4, 8), { minLength: bins, maxLength: bins })
  .map((widths) => {
    const indices = new Float64Array(bins + 1).fill(-8);
    for (const [i, width] of widths.entries()) indices[i + 1] = indices[i]! + width;
    return indices;
  });
const even = Float64Array.from({ length: bins + 1 }, (_, i) => i - 8);

/** Masses in half bins, at losses inside them. */
const halfBins = fc
  .tuple(
    fc.oneof(fc.constant(even), spacings),
    fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 2 * bins - 1 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.double({ min: 1e-12, max: 1, noNaN: true }),
      ),
      { minLength: 1, maxLength: 20 },
    ),
  )
  .map(([indices, rows]) => {
    const p = new Float64Array(2 * bins);
    const q = new Float64Array(2 * bins);
    const atoms: { loss: number; mass: number }[] = [];
    for (const [k, inside, mass] of rows) {
      const [from, to] = [indices[k >> 1]!, indices[(k >> 1) + 1]!];
      const loss = grid.pitch * (from + ((k % 2) + inside) * 0.5 * (to - from));
      p[k]! += mass;
      q[k]! += mass * Math.exp(-loss);
      atoms.push({ loss, mass });
    }
    return { bins: { p, q, points: new Float64Array(bins + 1), indices }, atoms };
  });

const deltaOfAtoms = (atoms: readonly { loss: number; mass: number }[], epsilon: number): number =>
  atoms.reduce((sum, { loss, mass }) => sum + mass * Math.max(0, -Math.expm1(epsilon - loss)), 0);
const deltaOfGrid = (mass: Float64Array, indices: Float64Array, epsilon: number): number =>
  deltaOfAtoms(
    Array.from(mass, (m, i) => ({ loss: indices[i]! * grid.pitch, mass: m })),
    epsilon,
  );
const epsilons = fc.double({ min: -1.2, max: 3.2, noNaN: true });
const sum = (masses: Float64Array): number => masses.reduce((a, b) => a + b, 0);
/** ∫dQ of masses on places. */
const kept = (mass: Float64Array, indices: Float64Array): number =>
  mass.reduce((all, m, i) => all + m * Math.exp(-indices[i]! * grid.pitch), 0);

describe("a bin's ends", () => {
  it("lose no less at any ε, and keep ∫dP and ∫dQ", () => {
    fc.assert(
      fc.property(halfBins, epsilons, ({ bins: own, atoms }, epsilon) => {
        const mass = connectDots(own, grid);
        expect(deltaOfGrid(mass, own.indices, epsilon)).toBeGreaterThanOrEqual(
          deltaOfAtoms(atoms, epsilon) - 1e-12,
        );
        expect(Math.abs(sum(mass) - sum(own.p))).toBeLessThan(1e-13 * sum(own.p));
        expect(Math.abs(kept(mass, own.indices) / sum(own.q) - 1)).toBeLessThan(1e-12);
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
        ({ bins: own, atoms }, epsilon, reach) => {
          const mass = mergeToCentroids(own, { ...grid, reach, snap: 1e-14 });
          expect(deltaOfGrid(mass, own.indices, epsilon)).toBeLessThanOrEqual(
            deltaOfAtoms(atoms, epsilon) + 1e-12,
          );
          expect(Math.abs(sum(mass) - sum(own.p))).toBeLessThan(1e-12 * sum(own.p));
        },
      ),
    );
  });

  it("balance a heavy highest atom with what lies below it, within reach", () => {
    const p = new Float64Array(2 * bins).fill(0.01);
    p[25] = 0.5;
    p.fill(0, 26);
    const q = p.map((mass, k) => mass * Math.exp(-(-8 + (k + 0.5) / 2) * grid.pitch));
    const lowering = (reach: number): number => {
      const points = new Float64Array(bins + 1);
      const mass = mergeToCentroids({ p, q, points, indices: even }, { ...grid, reach, snap: 1e-14 });
      return kept(mass, even) / sum(q) - 1;
    };
    // Moved down alone it would lose ¾ of a pitch; the lowest run has only what little lies at the end.
    expect(lowering(2)).toBeLessThan(0.002);
    expect(lowering(0.2)).toBeGreaterThan(0.02);
  });

  it("of an even law are an even grid: nothing goes down but at the end", () => {
    const p = new Float64Array(2 * bins).fill(1 / (2 * bins));
    const q = p.map((mass, k) => mass * Math.exp(-(-8 + (k + 0.5) / 2) * grid.pitch));
    const points = new Float64Array(bins + 1);
    const mass = mergeToCentroids({ p, q, points, indices: even }, { ...grid, reach: 5, snap: 1e-14 });
    expect(kept(mass, even) / sum(q) - 1).toBeLessThan(0.01);
    expect(kept(mass, even) / sum(q) - 1).toBeGreaterThanOrEqual(-1e-12);
  });
});
