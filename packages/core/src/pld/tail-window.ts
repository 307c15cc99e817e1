/** Where the sums of tilted losses are kept: `count` grid points from `bottom`, the losses offset + index·pitch. */
export interface TailWindow {
  readonly pitch: number;
  readonly offset: number;
  readonly bottom: number;
  readonly count: number;
  /** The tilt λ, and the mean of the tilted sum: weights are counted from there. */
  readonly tilt: number;
  readonly mean: number;
}

/**
 * Of the sums T that a window holds, Σ T·e^{−λ(loss − mean)}·(1 − e^{ε − loss}) over the losses above ε: `sum`, which is within `noise`
 * of at least (for an upper end) or at most (for a lower) that.
 */
export type TailSums = (epsilon: number) => { readonly sum: number; readonly noise: number };

/** The first place of the window whose loss is above ε: `count` where none is. */
export function placeAbove({ pitch, offset, bottom, count }: TailWindow, epsilon: number): number {
  const index = Math.floor((epsilon - offset) / pitch) - bottom + 1;
  return Math.max(0, Math.min(count, index));
}
