import { type ScalarLoss, signLabel } from "./scalar-loss.ts";

/** ln(1 + e^−margin), without overflow. */
function softplus(margin: number): number {
  return margin > 0 ? Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin)) - margin;
}

/** φ = ln(1 + e^−yz) with y = ±1. */
export const logistic: ScalarLoss = {
  value: (z, y) => softplus(y * z),
  slope: (z, y) => -y / (1 + Math.exp(y * z)),
  label: signLabel,
  steepest: (reach) => 1 / (1 + Math.exp(-reach)),
  curvature: 1 / 4,
  twiceContinuous: true,
  linear: false,
  worstExcess: (reach) => Math.LN2 - softplus(reach),
};
