import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seal } from "../../exact/exact.ts";
import { compare, multiply, type Rational, ratio, toText } from "../../numeric/rational.ts";
import { SeededSource } from "../../tape.ts";
import { countsForContrasts } from "./contrast-noise.ts";
import { contrastSquares, contrasts, residualOf } from "./contrasts.ts";
import { residualSensitivity } from "./residual-sensitivity.ts";
import { openTableSession, residualCost, type TableSessionSetting } from "./table-session.ts";

const shapes = [[2], [3], [5], [2, 2], [2, 3], [3, 2], [3, 4], [2, 2, 2], [2, 3, 2]];
const cellsIn = (shape: readonly number[]): number => shape.reduce((cells, size) => cells * size, 1);
const unit = (cells: number, at: number): Float64Array =>
  Float64Array.from({ length: cells }, (_, cell) => Number(cell === at));

/** Entry of ⊗(I − 11ᵀ/n). */
function projection(shape: readonly number[], i: number, j: number): number {
  let [rest, other, entry] = [i, j, 1];
  for (const size of shape.toReversed()) {
    entry *= Number(rest % size === other % size) - 1 / size;
    [rest, other] = [Math.floor(rest / size), Math.floor(other / size)];
  }
  return entry;
}

/** All counts of at most r rows over some cells. */
function unitsOf(cells: number, rows: number): readonly (readonly number[])[] {
  if (cells === 0) return [[]];
  return Array.from({ length: rows + 1 }, (_, here) => here).flatMap((here) =>
    unitsOf(cells - 1, rows - here).map((rest) => [here, ...rest]),
  );
}

/** Σ contrast²/K of a move, exactly. */
function moved(shape: readonly number[], move: readonly number[]): Rational {
  const squares = contrastSquares(shape);
  const found = contrasts(shape, Float64Array.from(move));
  const common = squares.reduce((product, square) => product * BigInt(square), 1n);
  const parts = squares.map((square, at) => BigInt(found[at]!) ** 2n * (common / BigInt(square)));
  return ratio(
    parts.reduce((a, b) => a + b, 0n),
    common,
  );
}

describe("contrasts", () => {
  it.each(shapes.map((shape) => [shape]))("of a table %j have its residual, and are orthogonal", (shape) => {
    const cells = cellsIn(shape);
    const squares = contrastSquares(shape);
    const rows = Array.from({ length: cells }, (_, at) => contrasts(shape, unit(cells, at)));
    for (const [one, square] of squares.entries()) {
      for (const other of squares.keys()) {
        const product = rows.reduce((sum, row) => sum + row[one]! * row[other]!, 0);
        expect(product).toBe(one === other ? square : 0);
      }
    }
    for (let i = 0; i < cells; i++) {
      const residual = residualOf(shape, rows[i]!);
      expect(residual).toHaveLength(cells);
      for (let j = 0; j < cells; j++) expect(residual[j]).toBeCloseTo(projection(shape, i, j), 12);
    }
  });

  it("are as many as the table has directions of its own, and integers that no count makes too large", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...shapes, [40, 30], [1000, 7]),
        fc.integer({ min: 0, max: 2 ** 53 - 1 }),
        fc.nat(),
        (shape, most, seed) => {
          const bits = new SeededSource(seed);
          const table = Float64Array.from({ length: cellsIn(shape) }, () => (bits.word() % 2 ? most : 0));
          const found = contrasts(shape, countsForContrasts(table, shape));
          expect(found).toHaveLength(shape.reduce((product, size) => product * (size - 1), 1));
          expect(found.every((x) => Number.isInteger(x) && Math.abs(x) <= 2 ** 52)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
    expect([...countsForContrasts([Number.NaN, -1, 2.5, 7], [2, 2])]).toEqual([0, 0, 0, 7]);
    // 2·(2 − 1)·2·(2 − 1) = 4 is no bound below that of any count.
    expect(countsForContrasts([2 ** 45], [2])[0]).toBe(2 ** 40);
    expect(countsForContrasts([2 ** 45], [4096, 4096])[0]).toBe(Math.floor(2 ** 52 / 8190 ** 2));
  });
});

describe("how far residuals move", () => {
  it.each(
    (["add-or-remove-one", "replace-one"] as const).flatMap((adjacency) =>
      [1, 2].flatMap((rows) => shapes.map((shape) => [adjacency, rows, shape] as const)),
    ),
  )("%s, %i rows, %j: as far as the worst of all units", (adjacency, rows, shape) => {
    const cells = cellsIn(shape);
    if (rows === 2 && cells > 8) return;
    const units = unitsOf(cells, rows);
    let most = ratio(0n);
    for (const a of units) {
      for (const b of adjacency === "replace-one" ? units : [a.map(() => 0)]) {
        const found = moved(
          shape,
          a.map((x, i) => x - b[i]!),
        );
        if (compare(found, most) > 0) most = found;
      }
    }
    // Reached: neither too small a price nor one that is larger than it need be.
    expect(toText(residualSensitivity(adjacency, rows, shape))).toBe(toText(most));
  });

  it("has no meaning for no axis, or one of a single value", () => {
    const invalid = expect.objectContaining({ code: "parameter.invalid" });
    for (const shape of [[], [1], [2, 1], [2.5], [Number.NaN]])
      expect(() => residualSensitivity("add-or-remove-one", 1, shape)).toThrow(invalid);
    expect(() => residualSensitivity("add-or-remove-one", 0, [2])).toThrow(invalid);
    expect(() => residualSensitivity("none" as never, 1, [2])).toThrow(invalid);
  });
});

describe("a noisy residual of a session", () => {
  const setting: TableSessionSetting = {
    ...{ measure: "gaussian-dp", total: "1000000", adjacency: "replace-one", rowsPerUnit: 2 },
  };

  it("is paid by its own sensitivity, and refused where the rest does not cover it", () => {
    const session = openTableSession({ ...setting, total: "1/2" }, new SeededSource(1));
    session.measureResidual(seal([5, 1, 2, 9]), { sigma: 4, shape: [2, 2] });
    // 2·4·(1/2)/16.
    expect(toText(session.left)).toBe("1/4");
    expect(toText(residualCost(ratio(4n), setting, [2, 2]))).toBe("1/4");
    expect(() => session.measureResidual(seal([5]), { sigma: 3, shape: [2, 2] })).toThrow(
      expect.objectContaining({ code: "mechanism.spent" }),
    );
    const invalid = expect.objectContaining({ code: "parameter.invalid" });
    for (const wrong of [
      { sigma: 0, shape: [2] },
      { sigma: 1, shape: [] },
      { sigma: 2 ** 47, shape: [3, 2] },
    ])
      expect(() => session.measureResidual(seal([5]), wrong)).toThrow(invalid);
    expect(toText(session.left)).toBe("1/4");
  });

  // 4,000 draws of 6 contrasts each: the mean of squares is within 6 deviations √(2/n) of σ²K + 1/12, false alarm 2e-9 each. A σ that is 10 % off moves it by 20 %,
  // nine deviations.
  it("has the noise of its σ in every contrast, so that no direction is told better", () => {
    const [shape, sigma, draws] = [[3, 4], 5, 4000];
    const session = openTableSession(setting, new SeededSource(4));
    const table = Float64Array.from({ length: 12 }, (_, cell) => 10 * cell * cell);
    const exact = contrasts(shape, table);
    const squares = contrastSquares(shape);
    const sums = squares.map(() => 0);
    for (let draw = 0; draw < draws; draw++) {
      const noisy = session.measureResidual(seal(table), { sigma, shape });
      expect(noisy.every(Number.isInteger)).toBe(true);
      for (const at of squares.keys()) sums[at]! += (noisy[at]! - exact[at]!) ** 2 / draws;
    }
    for (const [at, square] of squares.entries())
      expect(Math.abs(sums[at]! / (sigma ** 2 * square + 1 / 12) - 1)).toBeLessThan(6 * Math.sqrt(2 / draws));
    expect(toText(session.left)).toBe(toText(multiply(ratio(1n), ratio(1_000_000n * 25n - 4000n * 6n, 25n))));
  });

  it("is made of numbers whatever is sealed", () => {
    const session = openTableSession(setting, new SeededSource(4));
    for (const odd of [[], [Number.NaN], ["x" as never], [2 ** 60, -5, 0.5, 3]])
      expect(session.measureResidual(seal(odd), { sigma: 2, shape: [2, 2] }).every(Number.isInteger)).toBe(
        true,
      );
  });
});
