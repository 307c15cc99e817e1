import { invalidParameter } from "@lethe/core";
import { realLabel, type ScalarLoss } from "./scalar-loss.ts";

/** φ = u²/2 for u = z − y up to the corner, and corner·|u| − corner²/2 beyond. Errors: parameter.invalid unless corner > 0. */
export function huber(corner: number): ScalarLoss {
  if (!(corner > 0 && corner < Number.POSITIVE_INFINITY))
    throw invalidParameter("corner", corner, "> 0 and finite");
  const of = (u: number): number =>
    Math.abs(u) <= corner ? u ** 2 / 2 : corner * Math.abs(u) - corner ** 2 / 2;
  return {
    value: (z, y) => of(z - y),
    slope: (z, y) => Math.min(corner, Math.max(-corner, z - y)),
    label: realLabel,
    steepest: (reach, labels) => Math.min(corner, reach + labels),
    curvature: 1,
    twiceContinuous: false,
    linear: false,
    worstExcess: (reach, labels) => of(labels) - of(Math.max(0, labels - reach)),
  };
}
