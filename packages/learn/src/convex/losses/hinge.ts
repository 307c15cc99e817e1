import { type ScalarLoss, signLabel } from "./scalar-loss.ts";

/** φ = max(0, 1 − yz) with y = ±1: the loss of support vector machines. Its slope jumps, so it has no smoothness. */
export const hinge: ScalarLoss = {
  value: (z, y) => Math.max(0, 1 - y * z),
  slope: (z, y) => (y * z < 1 ? -y : 0),
  label: signLabel,
  steepest: () => 1,
  curvature: null,
  twiceContinuous: false,
  linear: false,
  worstExcess: (reach) => Math.min(1, reach),
};
