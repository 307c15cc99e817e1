/**
 * One layer on one example, in double precision and plain loops: what compiled kernels are compared with. Its derivatives are compared with finite
 * differences.
 */
export interface ReferenceLayer {
  /** The output of input x with weights w. */
  forward(x: Float64Array, w: Float64Array): Float64Array;
  /** Adds the gradient of the weights to dw, and gives that of x; y is the output of x, and dy the gradient of it. */
  backward(step: BackwardStep): Float64Array;
}

export interface BackwardStep {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly dy: Float64Array;
  readonly w: Float64Array;
  readonly dw: Float64Array;
}

/** Adds to one entry. */
export function increase(values: Float64Array, index: number, by: number): void {
  values[index] = (values[index] ?? Number.NaN) + by;
}
