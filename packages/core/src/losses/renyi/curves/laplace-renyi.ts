import { expExcess } from "../../../numeric/special/power-excess.ts";
import {
  checkFiniteLoss,
  checkOrder,
  divergenceFromExcess,
  type RenyiCurve,
  roundedUp,
} from "./renyi-curve.ts";

/**
 * The Laplace mechanism on a real number, scale = sensitivity/ε:
 *   D_α = log( α/(2α−1)·e^((α−1)ε) + (α−1)/(2α−1)·e^(−αε) ) / (α − 1).
 * Source: Mironov 2017, Prop. 6 (A Thm 2.1).
 * Direction: exact
 * Errors: parameter.invalid unless ε ≥ 0 and finite.
 * @example laplaceRenyi(1).at(2) // => 0.61912363
 */
export function laplaceRenyi(epsilon: number): RenyiCurve {
  checkFiniteLoss("epsilon", epsilon);
  return {
    id: `laplace(ε=${epsilon})`,
    tight: true,
    maxLoss: epsilon,
    at(order) {
      checkOrder(order);
      const [up, down] = [(order - 1) * epsilon, order * epsilon];
      const [share, other] = [order / (2 * order - 1), (order - 1) / (2 * order - 1)];
      if (up > 30) {
        const rest = ((order - 1) / order) * Math.exp(-up - down);
        return roundedUp(epsilon + (Math.log(share) + Math.log1p(rest)) / (order - 1));
      }
      // What is above 1 of the expectation: the terms of first order in ε cancel exactly, and are left out.
      return divergenceFromExcess(order, share * expExcess(up) + other * expExcess(-down));
    },
  };
}

/**
 * The Kullback–Leibler divergence of the same mechanism, the limit of D_α at order 1: ε + e^(−ε) − 1.
 * Source: Mironov 2017, Prop. 6 at α = 1.
 * Direction: exact
 * @example laplaceKullbackLeibler(1) // => 0.36787944117
 */
export function laplaceKullbackLeibler(epsilon: number): number {
  return roundedUp(expExcess(-checkFiniteLoss("epsilon", epsilon)));
}
