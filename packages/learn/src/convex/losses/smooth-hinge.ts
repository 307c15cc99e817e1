import { invalidParameter } from "@lethe/core";
import { type ScalarLoss, signLabel } from "./scalar-loss.ts";

/**
 * The hinge with its corner rounded over a width: 0 from margin 1 on, (1 − margin)²/(2·width) down to 1 − width, 1 − margin − width/2 below.
 * Within width/2 of the hinge. Errors: parameter.invalid unless width > 0.
 */
export function smoothHinge(width: number): ScalarLoss {
  if (!(width > 0 && width < Number.POSITIVE_INFINITY))
    throw invalidParameter("width", width, "> 0 and finite");
  const of = (short: number): number =>
    short <= 0 ? 0 : short <= width ? short ** 2 / (2 * width) : short - width / 2;
  return {
    value: (z, y) => of(1 - y * z),
    slope: (z, y) => -y * Math.min(1, Math.max(0, (1 - y * z) / width)),
    label: signLabel,
    steepest: () => 1,
    curvature: 1 / width,
    twiceContinuous: false,
    linear: false,
    worstExcess: (reach) => of(1) - of(1 - reach),
  };
}
