import { invalidParameter, LetheError } from "../../errors/lethe-error.ts";
import {
  ceil,
  compare,
  divide,
  floor,
  fromDouble,
  multiply,
  type Rational,
  ratio,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { ceilSqrt } from "./integer-root.ts";

/**
 * The treatment of a coordinate that is NaN or ±∞. "zero" keeps the rest of the vector and lets nobody see that it happened;
 * "refuse" stops the whole computation, and *that it stopped depends on the data*: for data that was checked before.
 */
export type NotFinite = "zero" | "refuse";

/**
 * The index of the grid point nearest to x on {…, −step, 0, step, …}; halfway goes up. Exact: no double is rounded on the
 * way. Whatever x is, the index is what the later bounds are about, so a coarse grid costs accuracy and never privacy.
 * Errors: parameter.invalid unless step > 0; parameter.invalid for NaN and ±∞ under "refuse".
 * @example quantize(0.26, ratio(1n, 10n), "zero") // => 3n
 */
export function quantize(x: number, step: Rational, notFinite: NotFinite): bigint {
  checkStep(step);
  if (!Number.isFinite(x)) {
    if (notFinite === "zero") return 0n;
    // Names no value: which of NaN and ∞ it was is data.
    throw new LetheError("parameter.invalid", "a coordinate is not a finite number", {
      fix: 'clean the data before, or declare notFinite: "zero"',
      fields: { name: "coordinate", domain: "finite" },
    });
  }
  const cells = divide(fromDouble(x), step);
  return floor({ num: 2n * cells.num + cells.den, den: 2n * cells.den });
}

/** {@link quantize} for every coordinate. */
export function quantizeVector(
  vector: ArrayLike<number>,
  step: Rational,
  notFinite: NotFinite,
): readonly bigint[] {
  return Array.from(vector, (x) => quantize(x, step, notFinite));
}

/**
 * A bound on real vectors as one on grid indices, rounded down: vectors are clipped again *after* they were rounded to the
 * grid, so nothing has to be added for the rounding. For ℓ1 and ℓ∞.
 * Errors: parameter.invalid unless step > 0 and bound ≥ 0.
 */
export function boundOnGrid(bound: Rational, step: Rational): bigint {
  checkStep(step);
  if (!(compare(bound, zero) >= 0)) throw invalidParameter("bound", toText(bound), "≥ 0");
  return floor(divide(bound, step));
}

/** {@link boundOnGrid} for the square of an ℓ2 bound. */
export function squaredBoundOnGrid(bound: Rational, step: Rational): bigint {
  checkStep(step);
  if (!(compare(bound, zero) >= 0)) throw invalidParameter("bound", toText(bound), "≥ 0");
  return floor(divide(multiply(bound, bound), multiply(step, step)));
}

/**
 * The alternative to clipping again: the square of an ℓ2 bound on grid indices that holds for every real vector of norm ≤
 * bound after its d coordinates were rounded: (bound/step + √d/2)², rounded up.
 * @example widenedSquaredBound(ratio(1n), ratio(1n, 10n), 4) // (10 + 1)² => 121n
 */
export function widenedSquaredBound(bound: Rational, step: Rational, dimension: number): bigint {
  checkStep(step);
  if (!(compare(bound, zero) >= 0)) throw invalidParameter("bound", toText(bound), "≥ 0");
  if (!(Number.isSafeInteger(dimension) && dimension >= 1)) {
    throw invalidParameter("dimension", dimension, "an integer ≥ 1");
  }
  const cells = divide(bound, step);
  // (c + √d/2)² = c² + c√d + d/4, and c√d = √(c²d) ≤ ⌈√⌈c²d·4⌉⌉/2.
  const square = multiply(cells, cells);
  const d = BigInt(dimension);
  const cross = ceilSqrt(ceil(multiply(square, ratio(4n * d))));
  return ceil({
    num: 4n * square.num + (2n * cross + d) * square.den,
    den: 4n * square.den,
  });
}

function checkStep(step: Rational): void {
  if (!(compare(step, zero) > 0)) throw invalidParameter("step", toText(step), "> 0");
}
