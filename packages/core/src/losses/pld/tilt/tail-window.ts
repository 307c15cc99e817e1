/** The window in which the sums of tilted losses are kept: `count` grid points from `bottom`, the losses offset + index·pitch. */
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
 * `sum` is Σ T·e^{−λ(loss − mean)}·(1 − e^{ε − loss}) over the losses above ε, T being the sums that a window holds. With `noise` added it is
 * at least that for an upper end; with `noise` taken off it is at most that for a lower one.
 */
export type TailSums = (epsilon: number) => { readonly sum: number; readonly noise: number };

/** The first place of the window whose loss is above ε: `count` where none is. */
export function placeAbove({ pitch, offset, bottom, count }: TailWindow, epsilon: number): number {
  const index = Math.floor((epsilon - offset) / pitch) - bottom + 1;
  return Math.max(0, Math.min(count, index));
}
