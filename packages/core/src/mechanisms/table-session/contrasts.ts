import { doubleAt, elementAt } from "../../numeric/elements/element-at.ts";

/*
 * A residual is what is left of a table over some attributes when its smaller tables are taken away: the table with the mean along every axis removed, ⊗(I − 11ᵀ/n).
 * It is measured in Helmert's contrasts, cₖ = t₀ + … + tₖ₋₁ − k·tₖ along each axis, k from 1 to n − 1: integers of integer counts, orthogonal to each other and to
 * what smaller tables say, whose squares of coefficients add up to k(k + 1).
 */

/**
 * Returns Helmert's contrasts of a table of this shape, the last axis fastest: Π(n − 1) numbers. Integers of integers, as long as none passes 2^53.
 * Source: Helmert 1876; residual bases for marginals: Xiao, He, Zhang & Kifer 2023 (arXiv 2305.08175)
 * Direction: exact
 * @example contrasts([3], Float64Array.of(5, 1, 2)) // => Float64Array [4, 2]
 */
export function contrasts(shape: readonly number[], table: Float64Array): Float64Array {
  let [values, before] = [table, 1];
  for (const [axis, size] of shape.entries()) {
    const inner = shape.slice(axis + 1).reduce((cells, each) => cells * each, 1);
    const next = new Float64Array(before * (size - 1) * inner);
    for (let outer = 0; outer < before; outer++) {
      for (let at = 0; at < inner; at++) {
        let sum = 0;
        for (let k = 0; k < size; k++) {
          const value = doubleAt(values, (outer * size + k) * inner + at);
          if (k > 0) next[(outer * (size - 1) + k - 1) * inner + at] = sum - k * value;
          sum += value;
        }
      }
    }
    [values, before] = [next, before * (size - 1)];
  }
  return values;
}

/**
 * Returns the sum of squared coefficients of each contrast, Πk(k + 1), in their order.
 * @example contrastSquares([2, 3]) // => [4, 12]
 */
export function contrastSquares(shape: readonly number[]): readonly number[] {
  return shape.reduce<readonly number[]>(
    (squares, size) =>
      squares.flatMap((square) => Array.from({ length: size - 1 }, (_, at) => square * (at + 1) * (at + 2))),
    [1],
  );
}

/**
 * Returns the residual that has these contrasts, a table of the shape: its sums along every axis are 0. Of the contrasts of any table it is that table's residual.
 * @example residualOf([3], Float64Array.of(4, 2)) // => Float64Array [2.33…, −1.66…, −0.66…]
 */
export function residualOf(shape: readonly number[], measured: Float64Array): Float64Array {
  let [values, inner] = [measured, 1];
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = elementAt(shape, axis);
    const before = shape.slice(0, axis).reduce((cells, each) => cells * (each - 1), 1);
    const next = new Float64Array(before * size * inner);
    for (let outer = 0; outer < before; outer++) {
      for (let at = 0; at < inner; at++) {
        let sum = 0;
        for (let k = size - 1; k >= 0; k--) {
          const own = k > 0 ? doubleAt(values, (outer * (size - 1) + k - 1) * inner + at) / (k * (k + 1)) : 0;
          next[(outer * size + k) * inner + at] = sum - k * own;
          sum += own;
        }
      }
    }
    [values, inner] = [next, inner * size];
  }
  return values;
}
