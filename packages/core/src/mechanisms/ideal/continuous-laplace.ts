import { zcdpFromPure } from "../../conversions/pure-to-zcdp.ts";
import { mixed } from "../../measures/mixed.ts";
import { divide } from "../../numeric/rational.ts";
import type { Mechanism } from "../mechanism.ts";
import { notNegative, positive } from "../parameters.ts";

/**
 * Real Laplace noise on one real number: ε = Δ/scale. For accounting of what others run.
 * Dwork, McSherry, Nissim & Smith 2006, Prop. 1.
 */
export const continuousLaplace: Mechanism<"continuous-laplace"> = {
  kind: "continuous-laplace",
  losses(event) {
    const epsilon = divide(notNegative(event.sensitivity, "sensitivity"), positive(event.scale, "scale"));
    const pure = { measure: "pure", epsilon } as const;
    return { pure, mixed: { ...mixed.zero, epsilon }, zcdp: zcdpFromPure(pure) };
  },
};
