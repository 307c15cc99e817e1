import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { addAt } from "../../numeric/elements/element-at.ts";
import { compare, multiply, type Rational, ratio, toText } from "../../numeric/rational.ts";
import { noiseSampler } from "../registry.ts";
import { rootUp } from "../root.ts";
import { contrastSquares } from "./contrasts.ts";
import { type CellCounts, countAt } from "./distance-score.ts";

/** Contrasts of such counts are whole numbers that doubles hold. */
const mostContrast = 2 ** 52;

/** Noise of such deviations is drawn in doubles. */
const mostDeviation = ratio(1n << 48n);

/** The counts of a table of this shape, each cut so that no contrast passes 2^52: at 2^40, or less where a table has millions of cells. */
export function countsForContrasts(table: CellCounts, shape: readonly number[]): Float64Array {
  const [cells, coefficients] = shape.reduce(
    ([product, sums], size) => [product * size, sums * 2 * (size - 1)],
    [1, 1],
  );
  const most = Math.floor(mostContrast / coefficients);
  return Float64Array.from({ length: cells }, (_, cell) => Math.min(most, countAt(table, cell)));
}

/**
 * Prepares what adds its noise to every contrast, in place: rounded Gaussian, σ times the root of its squared coefficients, that root rounded up, so that all
 * directions of the residual are as noisy. Errors: parameter.invalid where a contrast's noise would pass 2^48.
 */
export function contrastNoise(
  sigma: Rational,
  shape: readonly number[],
): (values: Float64Array, bits: BitSource) => Float64Array {
  const samplers = new Map<number, ReturnType<typeof noiseSampler>>();
  const squares = contrastSquares(shape);
  for (const square of new Set(squares)) {
    const deviation = rootUp(multiply(multiply(sigma, sigma), ratio(BigInt(square))));
    if (compare(deviation, mostDeviation) > 0)
      throw invalidParameter("sigma", toText(sigma), "small enough for contrasts of noise below 2^48");
    samplers.set(square, noiseSampler({ mechanism: "rounded-gaussian@1", sigma: toText(deviation) }));
  }
  const draw = new Float64Array(1);
  return (values, bits) => {
    for (const [at, square] of squares.entries()) {
      samplers.get(square)?.fill(draw, bits);
      addAt(values, at, draw[0] ?? Number.NaN);
    }
    return values;
  };
}
