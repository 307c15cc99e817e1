/** The noise that one measurement draws, on integers; parameters are exact texts in grid units. Part of plan and certificate. */
export type Noise =
  | { readonly mechanism: "discrete-laplace@1"; readonly scale: string }
  | { readonly mechanism: "rounded-gaussian@1"; readonly sigma: string }
  | { readonly mechanism: "discrete-gaussian@1"; readonly sigmaSquared: string }
  /** Sensitivity zero: the exact value, at no price. */
  | { readonly mechanism: "constant@1" };
