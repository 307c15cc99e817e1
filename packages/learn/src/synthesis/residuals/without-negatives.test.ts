import { contrastSquares } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellsOf } from "../graph/index.ts";
import { addUp, cellMap, measured } from "../inference/index.ts";
import { type KnownResiduals, knownResiduals } from "./known-residuals.ts";
import { reconstruction } from "./reconstruct.ts";
import { takeMeans } from "./take-means.ts";
import { withoutNegatives } from "./without-negatives.ts";

const sizes = [2, 3, 4];
const sets = [[0], [1], [2], [0, 1], [1, 2]];

/** Noisy tables of single attributes, and noisy residuals of pairs. */
function noisy(seed: number, rows: number): KnownResiduals {
  const bits = new SeededSource(seed);
  const draw = (by: number): number => by * (bits.word() / 2 ** 31 - 1);
  const known = knownResiduals(sizes);
  for (const [at, size] of sizes.entries()) {
    const values = new Float64Array(size).map(() => (rows + draw(1.2 * rows)) / size);
    known.addTable(measured([at], values, 100));
  }
  for (const attributes of [
    [0, 1],
    [1, 2],
  ]) {
    const shape = attributes.map((at) => elementAt(sizes, at));
    const values = Float64Array.from(contrastSquares(shape), (square) => Math.sqrt(square) * draw(rows));
    known.addResidual({ attributes, values, variance: 1 + (bits.word() % 400) });
  }
  return known;
}

/** Σ ‖residual − known‖²/variance of tables that agree, over their residuals. */
function loss(known: KnownResiduals, tables: readonly Float64Array[]): number {
  const seen = new Map<string, number>();
  for (const [at, set] of sets.entries()) {
    for (const part of [[], ...set.map((each) => [each]), set]) {
      const shape = part.map((each) => elementAt(sizes, each));
      const own = addUp(elementAt(tables, at), cellMap(sizes, set, part), cellsOf(sizes, part));
      const { values, variance } = known.of(part) ?? { values: new Float64Array(), variance: 1 };
      const residual = takeMeans(shape, own);
      const away = residual.reduce((sum, x, cell) => sum + (x - elementAt(values, cell)) ** 2, 0);
      seen.set(part.join(","), away / variance);
    }
  }
  return [...seen.values()].reduce((a, b) => a + b, 0);
}

describe("tables without negative cells", () => {
  it("are the reconstructed ones where none is negative", () => {
    const known = knownResiduals([2, 2]);
    const tables = [
      measured([0], Float64Array.of(60, 40), 25),
      measured([1], Float64Array.of(52, 48), 25),
    ] as const;
    const residual = { attributes: [0, 1], values: Float64Array.of(20), variance: 9 };
    for (const table of tables) known.addTable(table);
    known.addResidual(residual);
    const { tables: found } = withoutNegatives([2, 2], known, [[0, 1], [0]], { passes: 50 });
    const plain = reconstruction([2, 2], tables, [residual]);
    for (const [at, asked] of [[0, 1], [0]].entries())
      for (const [cell, value] of elementAt(found, at).entries())
        expect(value).toBeCloseTo(elementAt(plain(asked).values, cell), 9);
  });

  it("agree where they overlap, and none that agree lie nearer to what was measured", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const rows = 1000;
        const known = noisy(seed, rows);
        const { tables } = withoutNegatives(sizes, known, sets, { passes: 4000 });
        const total = Math.max(1, elementAt(known.of([])?.values ?? [0], 0));
        for (const table of tables) expect(table.every((x) => x >= 0)).toBe(true);
        for (const [at, set] of sets.entries()) {
          for (const each of set) {
            const own = addUp(elementAt(tables, at), cellMap(sizes, set, [each]), elementAt(sizes, each));
            for (const [cell, x] of own.entries())
              expect(Math.abs(x - elementAt(elementAt(tables, each), cell))).toBeLessThan(0.002 * total);
          }
        }
        // A blend with other tables that agree, and have no negative cell, is further away: the loss is convex, so that its slope towards them is not below 0.
        const bits = new SeededSource(seed + 1);
        const joint = new Float64Array(24).map(() => bits.word() / 2 ** 32);
        const sum = joint.reduce((a, b) => a + b, 0);
        for (const scale of [0, 1, 2]) {
          const other = sets.map((set) =>
            addUp(
              joint.map((x) => (scale * total * x) / sum),
              cellMap(sizes, [0, 1, 2], set),
              cellsOf(sizes, set),
            ),
          );
          const blend = tables.map((table, at) =>
            table.map((x, cell) => 0.98 * x + 0.02 * elementAt(elementAt(other, at), cell)),
          );
          const here = loss(known, tables);
          expect(loss(known, blend)).toBeGreaterThan(here - 0.005 * (1 + here));
        }
      }),
      { numRuns: 40, seed: 11 },
    );
  });

  it("starts where another search ended", () => {
    const known = noisy(5, 1000);
    const first = withoutNegatives(sizes, known, sets, { passes: 2000 });
    const again = withoutNegatives(sizes, known, sets, { passes: 1, start: first.multipliers });
    for (const [at, table] of first.tables.entries())
      for (const [cell, x] of table.entries())
        expect(elementAt(elementAt(again.tables, at), cell)).toBeCloseTo(x, 0);
  });

  it("is made of numbers, also of no rows and of fewer than none", () => {
    for (const rows of [0, -50]) {
      const known = knownResiduals([2, 3]);
      known.addTable(measured([0], Float64Array.of(rows, -7), 4));
      known.addTable(measured([1], Float64Array.of(3, rows, -9), 4));
      known.addResidual({ attributes: [0, 1], values: Float64Array.of(40, -90), variance: 1 });
      const { tables } = withoutNegatives([2, 3], known, [[0, 1]], { passes: 200 });
      expect(tables[0]?.every((x) => Number.isFinite(x) && x >= 0)).toBe(true);
    }
  });
});
