import { doubleAt, elementAt } from "@lethe/core/numeric";

/**
 * Takes the mean along every axis away, in place: what is left of a table that no smaller table says, ⊗(I − 11ᵀ/n). An orthogonal projection, and of a table
 * without attributes the table itself.
 * Source: Xiao, He, Zhang & Kifer 2023 (arXiv 2305.08175), Sec. 4 (residual bases); Mullins, Fuentes, Xiao, Kifer, Musco & Sheldon 2024 (arXiv 2410.01091).
 * @example takeMeans([2], Float64Array.of(5, 1)) // => Float64Array [2, -2]
 */
export function takeMeans(shape: readonly number[], values: Float64Array): Float64Array {
  let after = values.length;
  for (const [axis] of shape.entries()) {
    const size = elementAt(shape, axis);
    const before = values.length / after;
    after /= size;
    for (let outer = 0; outer < before; outer++) {
      for (let inner = 0; inner < after; inner++) {
        const start = outer * size * after + inner;
        let sum = 0;
        for (let k = 0; k < size; k++) sum += doubleAt(values, start + k * after);
        for (let k = 0; k < size; k++) {
          values[start + k * after] = doubleAt(values, start + k * after) - sum / size;
        }
      }
    }
  }
  return values;
}
