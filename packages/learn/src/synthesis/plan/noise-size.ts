import { type Rational, toDouble } from "@lethe/core";

/** The largest distance that a table is given for its noise, in rows: beyond it a session's integers would end. */
const mostDistance = 2 ** 39;

/** The mean of Σ |Z| over the cells of a table with Gaussian noise of this σ: √(2/π)·σ a cell. At most 2^39 rows. */
export function noiseDistance(sigma: Rational, cells: number): number {
  return Math.min(mostDistance, Math.sqrt(2 / Math.PI) * toDouble(sigma, "up") * cells);
}
