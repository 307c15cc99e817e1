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
