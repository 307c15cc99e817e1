import type { Correlation } from "./network.ts";

/** A measurement of correlated noise is in units of 2^-12 of the gradients' grid; a tree's is in its units. */
const finer = 2 ** 12;

/**
 * The least squared ℓ2 norm by which one unit moves all measurements of a training together, where it is in every `bins`-th step from a place of its own and
 * moves each step's sum by `move` in one direction, in doubles. A unit's later steps add up with what earlier ones left: coefficients are positive, so the
 * first place moves most. For buffers, what their rounding may add is counted in every coordinate.
 */
export function correlatedSquare(
  correlation: Correlation,
  {
    steps,
    bins,
    move,
    parameters,
  }: { readonly steps: number; readonly bins: number; readonly move: number; readonly parameters: number },
): number {
  if (correlation.kind === "tree") return move ** 2 * treeSquare(steps, bins);
  if (correlation.kind === "banded") {
    const coefficients = rootCoefficients(correlation.bands).map((c) => Math.floor(c * finer));
    return move ** 2 * toeplitzSquare(coefficients, steps, bins);
  }
  const { decays, outputs } = correlation;
  const coefficients = Array.from({ length: steps }, (_, j) =>
    j === 0 ? 1 : outputs.reduce((sum, output, k) => sum + output * (decays[k] ?? 0) ** (j - 1), 0),
  );
  const linear = move * finer * Math.sqrt(toeplitzSquare(coefficients, steps, bins));
  const rounded = outputs.reduce(
    (sum, output, k) => sum + (2 * output) / (1 - (decays[k] ?? 0)),
    decays.length + 1,
  );
  return (linear + rounded * Math.sqrt(steps * parameters)) ** 2;
}

/** The coefficients of (1 − z)^(−1/2). */
function rootCoefficients(count: number): readonly number[] {
  const found = [1];
  for (let j = 1; j < count; j += 1) found.push(((found[j - 1] ?? 0) * (2 * j - 1)) / (2 * j));
  return found;
}

/** ‖Σ over steps 0, bins, 2·bins … of the coefficients from there on‖². */
function toeplitzSquare(coefficients: readonly number[], steps: number, bins: number): number {
  const sums = new Float64Array(steps);
  let square = 0;
  for (let t = 0; t < steps; t += 1) {
    const sum = (coefficients[t] ?? 0) + (t >= bins ? (sums[t - bins] ?? 0) : 0);
    sums[t] = sum;
    square += sum ** 2;
  }
  return square;
}

/**
 * The largest Σ over dyadic intervals of the squared number of a unit's steps in it, over the places that a unit may have. Of one length the first, third …
 * are measured: the others end where a longer one does.
 */
function treeSquare(steps: number, bins: number): number {
  let most = 0;
  for (let place = 0; place < Math.min(bins, steps); place += 1) {
    let square = 0;
    for (let width = 1; width <= steps; width *= 2) {
      const counts = new Map<number, number>();
      for (let t = place; t < steps; t += bins) {
        const interval = Math.floor(t / width);
        if (interval % 2 === 0 && (interval + 1) * width <= steps)
          counts.set(interval, (counts.get(interval) ?? 0) + 1);
      }
      for (const count of counts.values()) square += count ** 2;
    }
    most = Math.max(most, square);
  }
  return most;
}
