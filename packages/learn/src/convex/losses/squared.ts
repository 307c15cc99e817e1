import { realLabel, type ScalarLoss } from "./scalar-loss.ts";

/** φ = (z − y)²/2. Its slope grows with z, so it is Lipschitz on bounded weights alone. */
export const squared: ScalarLoss = {
  value: (z, y) => (z - y) ** 2 / 2,
  slope: (z, y) => z - y,
  label: realLabel,
  steepest: (reach, labels) => reach + labels,
  curvature: 1,
  twiceContinuous: true,
  linear: false,
  // y²/2 − (z − y)²/2 is largest at z = y, or as near to it as z comes.
  worstExcess: (reach, labels) =>
    labels <= reach ? labels ** 2 / 2 : labels ** 2 / 2 - (labels - reach) ** 2 / 2,
};
