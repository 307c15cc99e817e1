/** The largest distance that a table is given for its noise, in rows: beyond it a session's integers would end. */
const mostDistance = 2 ** 39;

/** The mean of Σ |Z| over the cells of a table whose Gaussian noise has this deviation: √(2/π) times it a cell. At most 2^39 rows. */
export function noiseDistance(deviation: number, cells: number): number {
  return Math.min(mostDistance, Math.sqrt(2 / Math.PI) * deviation * cells);
}
