import { elementAt } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellsOf } from "../graph/index.ts";
import { estimate, marginalsOf, measured } from "../inference/index.ts";
import { roundedCounts } from "./rounded-counts.ts";
import { graphicalLaw } from "./row-law.ts";
import { sampleRows } from "./sample-rows.ts";
import { shuffle } from "./shuffle.ts";
import { syntheticCodes } from "./synthetic-rows.ts";

describe("rounded counts", () => {
  it("add up, and each is its share rounded down or up", () => {
    const weight = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e3, noNaN: true }));
    fc.assert(
      fc.property(
        fc.array(weight, { minLength: 1, maxLength: 12 }),
        fc.nat(500),
        fc.nat(),
        (weights, rows, seed) => {
          const counts = roundedCounts(Float64Array.from(weights), rows, new SeededSource(seed));
          const total = weights.reduce((a, b) => a + b, 0);
          expect(counts.reduce((a, b) => a + b, 0)).toBe(rows);
          for (const [cell, count] of counts.entries()) {
            const share = total > 0 ? (rows * elementAt(weights, cell)) / total : rows / weights.length;
            expect(Math.abs(count - share)).toBeLessThan(1 + 1e-6);
          }
        },
      ),
    );
    const odd = roundedCounts(
      Float64Array.of(Number.NaN, -1, Number.POSITIVE_INFINITY),
      6,
      new SeededSource(1),
    );
    expect([...odd]).toEqual([2, 2, 2]);
  });

  // 20,000 runs, a deviation of at most √(1/4/20,000) = .0035: 6 of them are .022, false alarm 2e-9 each. A count that always rounds down is .3 off.
  it("are right on average", () => {
    const bits = new SeededSource(8);
    const sums = new Float64Array(3);
    for (let run = 0; run < 20_000; run++) {
      const counts = roundedCounts(Float64Array.of(0.13, 0.57, 0.3), 1, bits);
      for (const [cell, count] of counts.entries()) sums[cell] = elementAt(sums, cell) + count / 20_000;
    }
    for (const [cell, share] of [0.13, 0.57, 0.3].entries()) {
      expect(Math.abs(elementAt(sums, cell) - share)).toBeLessThan(0.022);
    }
  });
});

describe("rows", () => {
  it("of a model have its tables of cliques, but for rounding", () => {
    const sizes = [3, 4, 2, 3];
    const counts = (cells: number, by: number): Float64Array =>
      Float64Array.from({ length: cells }, (_, cell) => 30 + ((cell * by) % 17) * 10);
    const { model } = estimate(
      sizes,
      [measured([0, 1], counts(12, 5), 9), measured([1, 2], counts(8, 3), 9), measured([3], counts(3, 1), 9)],
      { steps: 300 },
    );
    const rows = 40_000;
    const columns = sampleRows(model, rows, new SeededSource(12));
    const marginal = marginalsOf(model);
    for (const [asked, within] of [
      [[0, 1], 1],
      [[1, 2], 1],
      [[3], 1],
      // Beyond cliques only chance agrees: 40,000 rows have a deviation below 100 in any cell, and 6.5 of them are missed once in 10^10.
      [[0, 2], 650],
      [[0, 3], 650],
    ] as const) {
      const found = new Float64Array(cellsOf(sizes, asked));
      for (let row = 0; row < rows; row++) {
        const cell = asked.reduce<number>(
          (at, a) => at * elementAt(sizes, a) + elementAt(elementAt(columns, a), row),
          0,
        );
        found[cell] = elementAt(found, cell) + 1;
      }
      const expected = marginal(asked);
      // Each clique rounds within every cell of its separator.
      for (const [cell, count] of found.entries()) {
        expect(Math.abs(count - rows * elementAt(expected, cell))).toBeLessThanOrEqual(
          within * (sizes.length + 2),
        );
      }
    }
  });

  // 30,000 rows of three merged values: each has 10,000 ± 82, and 6 deviations are 490, false alarm 2e-9.
  it("spread merged values evenly over what was merged", () => {
    const { model } = estimate([2], [measured([0], Float64Array.of(0, 900), 1)], { steps: 200 });
    const merged = [{ places: Int32Array.of(1, 0, 1, 1), size: 2 }];
    const [column] = syntheticCodes(
      { law: graphicalLaw(model), merged, measurements: [], residuals: [] },
      30_000,
      new SeededSource(5),
    );
    const counts = [0, 1, 2, 3].map(
      (code) => (column ?? new Int32Array()).filter((each) => each === code).length,
    );
    for (const code of [0, 2, 3]) expect(Math.abs(elementAt(counts, code) - 10_000)).toBeLessThan(490);
  });

  it("are none of no rows", () => {
    const { model } = estimate([2, 3], [], { steps: 1 });
    expect(sampleRows(model, 0, new SeededSource(1)).map(({ length }) => length)).toEqual([0, 0]);
  });

  it("are shuffled: every order is as likely", () => {
    const bits = new SeededSource(31);
    const seen = new Map<string, number>();
    for (let run = 0; run < 12_000; run++) {
      const list = Int32Array.of(0, 1, 2);
      shuffle(list, bits);
      const key = list.join("");
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    expect(seen.size).toBe(6);
    // 2,000 ± 41: 6 deviations are 245, false alarm 2e-9 each.
    for (const count of seen.values()) expect(Math.abs(count - 2000)).toBeLessThan(245);
  });
});
