import { multiplyUp } from "../../numeric/directed.ts";
import { divide, multiply, parseRational } from "../../numeric/rational.ts";
import { finite } from "../finite.ts";
import type { LossRepresentation } from "../loss-representation.ts";
import { type GaussianUpperLoss, gaussianAlgebra } from "./gaussian-algebra.ts";

/**
 * μ-Gaussian DP. Of a random allocation: given which steps are a unit's, it is `selected` Gaussians; who is not told that sees less
 * (joint convexity of every divergence).
 */
export const gaussianRepresentation: LossRepresentation<GaussianUpperLoss> = {
  algebra: gaussianAlgebra,
  leaf({ mixed }, kind) {
    if (mixed === null || mixed.epsilon.num !== 0n || mixed.delta.num !== 0n || mixed.rho.num !== 0n)
      return null;
    const muSquared = finite(mixed.muSquared);
    return muSquared === null ? null : { muSquared, tight: kind === "gaussian" || kind === "constant" };
  },
  special: {
    "random-allocation"(event, adjacency) {
      if (adjacency !== "add-or-remove-one") return null;
      const mu = divide(parseRational(event.sensitivity), parseRational(event.sigma));
      const each = finite(multiply(mu, mu));
      return each === null ? null : { muSquared: multiplyUp(each, Number(event.selected)) };
    },
  },
  from: [],
};
