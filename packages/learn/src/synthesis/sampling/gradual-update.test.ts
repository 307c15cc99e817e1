import { elementAt } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gradualUpdate, type PairTarget } from "./gradual-update.ts";

const sizes = [2, 3, 4];
const rows = 4000;

function uniformRows(bits: SeededSource, count: number): readonly Int32Array[] {
  return sizes.map((size) => new Int32Array(count).map(() => bits.word() % size));
}

function table(columns: readonly Int32Array[], [a, b]: readonly [number, number]): Float64Array {
  const counts = new Float64Array(elementAt(sizes, a) * elementAt(sizes, b));
  for (const [row, code] of elementAt(columns, a).entries()) {
    const cell = code * elementAt(sizes, b) + elementAt(elementAt(columns, b), row);
    counts[cell] = elementAt(counts, cell) + 1;
  }
  return counts;
}

function distance(columns: readonly Int32Array[], { attributes, values }: PairTarget): number {
  const sum = values.reduce((a, b) => a + b, 0);
  const count = elementAt(columns, 0).length;
  const found = table(columns, attributes);
  return found.reduce((total, x, cell) => total + Math.abs(x / count - elementAt(values, cell) / sum), 0) / 2;
}

describe("rows that are moved towards tables", () => {
  it("come to have the tables of any one set of rows, nearly, where independent ones lie far", () => {
    const bits = new SeededSource(3);
    const real = sizes.map(() => new Int32Array(rows));
    for (let row = 0; row < rows; row++) {
      const code = bits.word() % 2;
      for (const [at, size] of sizes.entries())
        elementAt(real, at)[row] = bits.word() % 4 > 0 ? code * (size - 1) : bits.word() % size;
    }
    const targets = (
      [
        [0, 1],
        [0, 2],
        [1, 2],
      ] as const
    ).map((attributes): PairTarget => ({ attributes, values: table(real, attributes) }));
    const columns = uniformRows(bits, rows);
    for (const target of targets) expect(distance(columns, target)).toBeGreaterThan(0.15);
    gradualUpdate(sizes, columns, targets, { passes: 20, bits });
    for (const target of targets) expect(distance(columns, target)).toBeLessThan(0.015);
  });

  it("keep to their codes and their number, whatever the tables say", () => {
    const weight = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 9, noNaN: true }));
    fc.assert(
      fc.property(
        fc.array(weight, { minLength: 12, maxLength: 12 }),
        fc.nat(40),
        fc.nat(),
        (values, count, seed) => {
          const bits = new SeededSource(seed);
          const columns = uniformRows(bits, count);
          gradualUpdate(sizes, columns, [{ attributes: [1, 2], values: Float64Array.from(values) }], {
            ...{ passes: 4, bits },
          });
          for (const [at, size] of sizes.entries()) {
            expect(elementAt(columns, at)).toHaveLength(count);
            expect(elementAt(columns, at).every((code) => code >= 0 && code < size)).toBe(true);
          }
        },
      ),
      { seed: 8 },
    );
  });

  it("meet tables halfway that no rows have together", () => {
    const bits = new SeededSource(5);
    const pair = (values: readonly number[]): PairTarget => ({
      ...{ attributes: [0, 1], values: Float64Array.from(values) },
    });
    const [one, other] = [pair([1, 0, 0, 0, 0, 1]), pair([0, 0, 1, 1, 0, 0])];
    const columns = uniformRows(bits, rows);
    gradualUpdate(sizes, columns, [one, other], { passes: 30, bits });
    const [near, far] = [distance(columns, one), distance(columns, other)];
    expect(Math.abs(near + far - 1)).toBeLessThan(0.02);
    expect(Math.min(near, far)).toBeGreaterThan(0.2);
  });
});
