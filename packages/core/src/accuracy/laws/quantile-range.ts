/** Two doubles with least ≤ q ≤ most for an integer q ≥ 0. */
export interface QuantileRange {
  readonly least: number;
  readonly most: number;
}

/** The error of exp, ln, Φ⁻¹ and what is computed with them here is below 1e-11, relative to the largest number met. */
const slack = 1e-9;

/** The range of the integer ⌈x⌉, or 0 where that is negative, of a number computed in doubles from numbers up to `size`. */
export function rangeAround(x: number, size: number): QuantileRange {
  const most = slack * (1 + size + Math.abs(x));
  return { least: Math.max(0, Math.ceil(x - most)), most: Math.max(0, Math.ceil(x + most)) };
}
