/**
 * A convex loss φ(z, y) of a generalized linear model: z = ⟨w, x⟩ is the prediction, y the label. What a theorem asks of the loss is a function of the
 * declared bounds |z| ≤ reach and |y| ≤ labels, and never of data.
 */
export interface ScalarLoss {
  value(z: number, y: number): number;
  /** The derivative in z; at a corner, one of its subgradients. Finite for finite arguments. */
  slope(z: number, y: number): number;
  /** Any double as a label: clipped to the bounds, NaN as the default. */
  label(y: number, labels: number): number;
  /** The largest |slope|, the Lipschitz constant in z; Infinity where there is none for an unbounded reach. */
  steepest(reach: number, labels: number): number;
  /** The largest second derivative in z, everywhere; null where the slope jumps. */
  readonly curvature: number | null;
  /** Whether the second derivative is continuous. */
  readonly twiceContinuous: boolean;
  /** Whether the slope is the same for all z. */
  readonly linear: boolean;
  /** The largest φ(0, y) − φ(z, y): what the weights 0 lose at most against the best in reach. */
  worstExcess(reach: number, labels: number): number;
}

/** A real label: clipped to [−labels, labels]; NaN counts as 0. */
export function realLabel(y: number, labels: number): number {
  return Number.isNaN(y) ? 0 : Math.min(labels, Math.max(-labels, y));
}

/** A class: 1 for what is above 0, and −1 for all else, NaN too. */
export function signLabel(y: number): number {
  return y > 0 ? 1 : -1;
}
