import { additiveMeasure } from "./additive-measure.ts";
import type { PureLoss, PureLossText } from "./loss.ts";
import type { Measure } from "./measure.ts";

/** ε-DP. ε adds up under adaptive composition (Dwork, McSherry, Nissim & Smith 2006; Dwork & Roth 2014, Thm 3.14). */
export const pure: Measure<PureLoss, PureLossText> = additiveMeasure("pure", ["epsilon"]);
