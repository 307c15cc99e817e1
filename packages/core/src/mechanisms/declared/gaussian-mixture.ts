import type { Mechanism } from "../mechanism.ts";
import { notNegative, positive } from "../parameters.ts";

/** Gaussian noise on moves that are drawn in secret. What that is worth depends on the adjacency: no exact account charges it. */
export const gaussianMixture: Mechanism<"gaussian-mixture"> = {
  kind: "gaussian-mixture",
  losses(event) {
    positive(event.sigma, "sigma");
    for (const { move } of event.moves) notNegative(move, "move");
    return { pure: null, mixed: null, zcdp: null };
  },
};
