/**
 * The noise that a row of the answer holds: how many draws of which of the plan's measurements, its own (level 0) or those of
 * its totals (level n, of totals[n − 1]). A released group holds one draw; what is left of a total beside released groups
 * holds the total's and all of theirs.
 */
export type RowNoise = readonly { readonly level: number; readonly draws: number }[];

/** That of a measured group. */
export const oneGroup: RowNoise = [{ level: 0, draws: 1 }];

/** A text that two rows share where their noise is alike. */
export function rowNoiseName(row: RowNoise): string {
  return row.map(({ level, draws }) => `${level}:${draws}`).join(" ");
}
