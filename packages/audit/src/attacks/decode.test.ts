import { expect, test } from "vitest";
import { leastAbsolute, leastSquares } from "./decode.ts";

const design = Array.from({ length: 40 }, (_, row) =>
  Array.from({ length: 6 }, (_, column) => (Math.imul(row * 6 + column + 3, 0x9e3779b1) >>> 30) & 1),
);
const secret = [1, 0, 0, 1, 1, 0];
const exact = design.map((row) => row.reduce((sum, cell, at) => sum + cell * secret[at]!, 0));

test.each([leastSquares, leastAbsolute])("exact answers give the bits back", (solve) => {
  for (const [at, bit] of solve(design, exact).entries()) expect(bit).toBeCloseTo(secret[at]!, 3);
});

test("a few wild errors move least squares, and not least absolute errors", () => {
  const wild = exact.map((answer, at) => (at % 8 === 0 ? answer + 40 : answer));
  const moved = leastSquares(design, wild).some((bit, at) => Math.abs(bit - secret[at]!) > 0.2);
  expect(moved).toBe(true);
  for (const [at, bit] of leastAbsolute(design, wild).entries()) expect(bit).toBeCloseTo(secret[at]!, 2);
});

test("what is solved for stays within 0 and 1, and is least there", () => {
  // One unknown, answers 3 and 3: the best in the box is 1.
  expect(leastSquares([[1], [1]], [3, 3])[0]).toBeCloseTo(1, 6);
  // Answers 0.2, 0.2 and 0.9: the median for absolute errors, the mean for squares.
  expect(leastAbsolute([[1], [1], [1]], [0.2, 0.2, 0.9])[0]).toBeCloseTo(0.2, 3);
  expect(leastSquares([[1], [1], [1]], [0.2, 0.2, 0.9])[0]).toBeCloseTo(1.3 / 3, 3);
});

/** The least cost over a grid of the box, which no solution may exceed. */
test.each<[string, typeof leastSquares, (gap: number) => number]>([
  ["squares", leastSquares, (gap) => gap * gap],
  ["absolute errors", leastAbsolute, Math.abs],
])("of all points in the box none has less of %s", (_, solve, cost) => {
  let state = 5;
  const coin = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  for (let round = 0; round < 12; round += 1) {
    const rows = Array.from({ length: 3 + (round % 4) }, () => [coin(), coin() - 0.3, 2 * coin() - 1]);
    const answers = rows.map(() => 3 * coin() - 1);
    const of = (x: readonly number[]): number =>
      rows.reduce(
        (sum, row, at) => sum + cost(row.reduce((dot, cell, i) => dot + cell * x[i]!, 0) - answers[at]!),
        0,
      );
    const found = solve(rows, answers);
    expect(found.every((each) => each >= 0 && each <= 1)).toBe(true);
    let least = Number.POSITIVE_INFINITY;
    for (let a = 0; a <= 20; a += 1)
      for (let b = 0; b <= 20; b += 1)
        for (let c = 0; c <= 20; c += 1) least = Math.min(least, of([a / 20, b / 20, c / 20]));
    expect(of(found)).toBeLessThan(least + 2e-3);
  }
});

test("without answers nothing is solved for", () => {
  expect(leastSquares([], [])).toEqual([]);
});
