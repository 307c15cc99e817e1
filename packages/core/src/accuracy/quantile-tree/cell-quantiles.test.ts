import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { type CellTree, type NoisyCells, noisyCells } from "../../mechanisms/quantile-tree/index.ts";
import { SeededSource } from "../../tape.ts";
import { type CellQuantile, cellQuantiles } from "./cell-quantiles.ts";

const rowWeight = 2 ** 16;
const laplace = (rows: number): Noise => ({ mechanism: "discrete-laplace@1", scale: `${rows * rowWeight}` });
const gaussian = (rows: number): Noise => ({ mechanism: "rounded-gaussian@1", sigma: `${rows * rowWeight}` });
const still: Noise = { mechanism: "discrete-laplace@1", scale: "1/1000" };

/** Rows by cell → noisy counts. */
function measured(tree: CellTree, noise: Noise, rows: readonly number[], bits: SeededSource): NoisyCells {
  const counts = new Map<number, bigint>();
  for (const cell of rows) counts.set(cell, (counts.get(cell) ?? 0n) + BigInt(rowWeight));
  return noisyCells(tree, noise)(counts, bits);
}

/** The cells of the two rows between which PERCENTILE_CONT interpolates; of the first, PERCENTILE_DISC's own included. */
function truth(rows: readonly number[], share: number): readonly number[] {
  const sorted = [...rows].sort((a, b) => a - b);
  const place = share * (rows.length - 1);
  const disc = Math.max(1, Math.ceil(share * rows.length)) - 1;
  return [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!, sorted[disc]!];
}

const covers = ({ first, last }: CellQuantile, cells: readonly number[]): boolean =>
  cells.every((cell) => first <= cell && cell <= last);

describe("cellQuantiles", () => {
  const tree: CellTree = { branching: 16, height: 2 };
  const shares = [0, 0.01, 0.25, 0.5, 0.9, 1];
  const data: readonly (readonly [string, readonly number[]])[] = [
    ["spread evenly", Array.from({ length: 2000 }, (_, i) => (i * 7) % 256)],
    ["in one corner, with a gap", Array.from({ length: 999 }, (_, i) => (i % 2 === 0 ? i % 9 : 200))],
    ["all in one cell", Array<number>(300).fill(77)],
    ["few", [3, 200, 250]],
  ];

  it("finds the very cells where there is no noise to speak of", () => {
    for (const [, rows] of data) {
      const noisy = measured(tree, still, rows, new SeededSource(1));
      for (const share of [0, 0.3, 0.5, 1]) {
        const found = cellQuantiles({ tree, noise: still, rowWeight, share, confidence: 0.95 })(noisy);
        const cells = truth(rows, share);
        expect(covers(found, cells)).toBe(true);
        // One row of room on either side, in which PERCENTILE_CONT interpolates.
        expect(found.cell).toBeGreaterThanOrEqual(found.first);
        expect(cells).toContain(found.cell);
      }
    }
  });

  it("holds the rows around the quantile and no cell more where there is no noise at all", () => {
    const small: CellTree = { branching: 4, height: 2 };
    const none: Noise = { mechanism: "constant@1" };
    for (const rows of [
      [0, 0, 3, 5, 5, 5, 9, 15],
      [2, 7, 7, 8, 12],
      [1, 4, 6, 10, 11, 13, 14, 14, 14],
      [6],
    ]) {
      const levels = [4, 16].map((nodes) => {
        const level = new Float64Array(nodes);
        for (const cell of rows) level[Math.floor((cell * nodes) / 16)]! += 3;
        return level;
      });
      const n = rows.length;
      for (let sixteenth = 0; sixteenth <= 16; sixteenth += 1) {
        const share = sixteenth / 16;
        const read = cellQuantiles({ tree: small, noise: none, rowWeight: 3, share, confidence: 0.9 });
        const { cell, within, first, last } = read(levels);
        // The rows of rank ⌈p⌉ and ⌊p⌋ + 2 around p = share·(n − 1), that before the first at the start, that after the last at the end.
        const p = share * (n - 1);
        const low = Math.ceil(p) === 0 ? 0 : rows[Math.ceil(p) - 1]!;
        const high = rows[Math.floor(p) + 1] ?? 15;
        const target = Math.max(share * n, 1);
        const at = rows[Math.ceil(target) - 1]!;
        expect({ cell, first, last }, `${rows} ${share}`).toEqual({
          cell: at,
          first: Math.min(low, at),
          last: Math.max(high, at),
        });
        const before = rows.filter((each) => each < at).length;
        const inside = rows.filter((each) => each === at).length;
        expect(within).toBeCloseTo((target - before) / inside, 9);
      }
    }
  });

  it("is the middle of everything where no row was counted", () => {
    const empty = [new Float64Array(16), new Float64Array(256)];
    const none: Noise = { mechanism: "constant@1" };
    const found = cellQuantiles({ tree, noise: none, rowWeight, share: 0.5, confidence: 0.95 })(empty);
    expect(found).toMatchObject({ cell: 127, within: 0.5 });
  });

  it.each([
    ["Laplace", laplace(3)],
    ["Gaussian", gaussian(4)],
  ] as const)(
    "covers each quantile as stated, %s noise (false alarm below 1e-6), hardly more than it must",
    (_, noise) => {
      const rounds = 400;
      const confidence = 0.8;
      const bits = new SeededSource(8);
      const readers = shares.map((share) => cellQuantiles({ tree, noise, rowWeight, share, confidence }));
      let tightest = 1;
      for (const [name, rows] of data) {
        const missed = shares.map(() => 0);
        for (let round = 0; round < rounds; round += 1) {
          const noisy = measured(tree, noise, rows, bits);
          shares.forEach((share, at) => {
            if (!covers(readers[at]!(noisy), truth(rows, share))) missed[at]! += 1;
          });
        }
        // Each misses at most 0.2 of the time: 0.2 + 0.135 of 400 has probability below e^(−2·400·0.135²) = 5e-7 (Hoeffding).
        for (const [at, count] of missed.entries())
          expect(count / rounds, `${name} ${shares[at]}`).toBeLessThan(0.335);
        tightest = Math.min(tightest, 1 - Math.max(...missed) / rounds);
      }
      // Somewhere the tests are used up: an interval twice as wide would never miss here.
      expect(tightest).toBeLessThan(0.93);
    },
  );

  it("spans nearly everything where nobody was counted, and estimates within it", () => {
    const noise = laplace(3);
    const bits = new SeededSource(4);
    let spanned = 0;
    for (let round = 0; round < 200; round += 1) {
      const noisy = measured(tree, noise, [], bits);
      const { first, last, cell } = cellQuantiles({ tree, noise, rowWeight, share: 0.5, confidence: 0.95 })(
        noisy,
      );
      expect(first <= cell && cell <= last).toBe(true);
      spanned += Number(last - first > 200);
    }
    expect(spanned).toBeGreaterThan(180);
  });

  it("does not fall with the share", () => {
    const noise = laplace(20);
    const noisy = measured(tree, noise, data[0]![1], new SeededSource(5));
    let before = -1;
    for (let share = 0; share <= 1; share += 1 / 64) {
      const { cell, within } = cellQuantiles({ tree, noise, rowWeight, share, confidence: 0.5 })(noisy);
      expect(cell + within).toBeGreaterThanOrEqual(before);
      before = cell + within;
    }
  });

  it("is as wide as the noise in the rank, not wider: mean width near that of the normal law", () => {
    const noise = gaussian(10);
    const rows = Array.from({ length: 25_600 }, (_, i) => i % 256);
    const read = cellQuantiles({ tree, noise, rowWeight, share: 0.5, confidence: 0.95 });
    const bits = new SeededSource(6);
    let width = 0;
    for (let round = 0; round < 50; round += 1) {
      const { first, last } = read(measured(tree, noise, rows, bits));
      width += (last - first + 1) / 50;
    }
    // 100 rows a cell; the rank's standard deviation is at most 10·√8, so ± 1.96 of it is 1.1 cells, and the cells' own ends 1 to 2 more.
    expect(width).toBeLessThan(3.2);
    expect(width).toBeGreaterThan(1);
  });

  it("is not drawn out over a wide range without values", () => {
    const wide: CellTree = { branching: 16, height: 3 };
    const noise = laplace(3);
    const rows = Array.from({ length: 280 }, (_, i) => i % 200);
    const read = cellQuantiles({ tree: wide, noise, rowWeight, share: 0.75, confidence: 0.95 });
    const bits = new SeededSource(10);
    const lasts = Array.from({ length: 40 }, () => read(measured(wide, noise, rows, bits)).last);
    // 70 rows lie above, twice what the noise may hide at one boundary: of 3,900 boundaries beyond them it hides some.
    expect(lasts.filter((last) => last > 1024).length).toBeLessThan(4);
  });

  it("refuses what is outside its domain", () => {
    const setting = { tree, noise: still, rowWeight, share: 0.5, confidence: 0.9 };
    const invalid = expect.objectContaining({ code: "parameter.invalid" });
    for (const wrong of [
      { share: -0.1 },
      { share: Number.NaN },
      { confidence: 1 },
      { rowWeight: 0 },
      { tree: { branching: 1, height: 1 } },
      { tree: { branching: 2, height: 17 } },
    ])
      expect(() => cellQuantiles({ ...setting, ...wrong })).toThrow(invalid);
    expect(() => cellQuantiles(setting)([new Float64Array(16)])).toThrow(invalid);
    for (const shape of [
      [16, 255],
      [15, 256],
      [16, 256, 4096],
    ])
      expect(() => cellQuantiles(setting)(shape.map((nodes) => new Float64Array(nodes)))).toThrow(invalid);
    for (const wrong of [
      { share: 1.1 },
      { confidence: 0 },
      { confidence: Number.NaN },
      { rowWeight: -1 },
      { rowWeight: Number.NaN },
    ])
      expect(() => cellQuantiles({ ...setting, ...wrong })).toThrow(invalid);
  });
});
