/**
 * The gradient of one unit, in float32, as kernels leave it: the sum over the unit's rows. Of a unit with one row the gradient of a matrix of weights
 * is an outer product, and is not multiplied out before it is clipped.
 */
export type UnitGradient = readonly GradientPart[];

export type GradientPart = DensePart | OuterPart;

/** Parts of one group are clipped together: flat clipping has one group, per-layer clipping one a layer. */
interface Grouped {
  readonly group: number;
}

export interface DensePart extends Grouped {
  readonly kind: "dense";
  readonly values: Float32Array;
}

/** The matrix xᵢ·dⱼ, by rows of x, and then d itself: weights and bias of a linear layer with input x, d being the gradient of its output. */
export interface OuterPart extends Grouped {
  readonly kind: "outer";
  readonly x: Float32Array;
  readonly d: Float32Array;
}

/** The number of weights that a part is about. */
export const partLength = (part: GradientPart): number =>
  part.kind === "dense" ? part.values.length : (part.x.length + 1) * part.d.length;
