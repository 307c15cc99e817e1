import { additiveMeasure } from "./additive-measure.ts";
import type { ApproximateLoss, ApproximateLossText } from "./loss.ts";
import type { Measure } from "./measure.ts";

/** (ε, δ)-DP. ε and δ add up under adaptive composition (Dwork & Roth 2014, Thm 3.16 and App. B). */
export const approximate: Measure<ApproximateLoss, ApproximateLossText> = additiveMeasure("approximate", [
  "epsilon",
  "delta",
]);
