import { realLabel, type ScalarLoss } from "./scalar-loss.ts";

/** φ = −y·z: the best direction for a mean, and the hard instance of private optimisation (Bassily, Smith & Thakurta 2014; C §3). */
export const linear: ScalarLoss = {
  value: (z, y) => -y * z,
  slope: (_z, y) => -y,
  label: realLabel,
  steepest: (_reach, labels) => labels,
  curvature: 0,
  twiceContinuous: true,
  linear: true,
  worstExcess: (reach, labels) => labels * reach,
};
