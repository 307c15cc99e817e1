import {
  checkFiniteLoss,
  checkOrder,
  divergenceFromExcess,
  type RenyiCurve,
  roundedUp,
} from "./renyi-curve.ts";

/**
 * Any ε-DP mechanism: the curve of binary randomized response, which dominates them all and is one of them,
 *   D_α = log( p·e^((α−1)ε) + (1−p)·e^(−(α−1)ε) ) / (α − 1),   p = e^ε/(1 + e^ε).
 * Source: Mironov 2017, Prop. 5; that it dominates: Kairouz, Oh & Viswanath 2017, Thm 2.5 (C Def. 3).
 * Direction: exact
 * Errors: parameter.invalid unless ε ≥ 0 and finite.
 * @example pureRenyi(1).at(2) // => 0.735325664
 */
export function pureRenyi(epsilon: number): RenyiCurve {
  checkFiniteLoss("epsilon", epsilon);
  const balance = Math.tanh(epsilon / 2);
  return {
    id: `pure(ε=${epsilon})`,
    tight: true,
    maxLoss: epsilon,
    at(order) {
      checkOrder(order);
      const u = (order - 1) * epsilon;
      if (u > 30) {
        // p·e^u·(1 + e^(−ε−2u)), p = 1/(1 + e^(−ε)).
        const rest = Math.log1p(Math.exp(-epsilon - 2 * u)) - Math.log1p(Math.exp(-epsilon));
        return roundedUp(epsilon + rest / (order - 1));
      }
      // cosh u − 1 + tanh(ε/2)·sinh u: what is above 1, in terms of one sign.
      return divergenceFromExcess(order, 2 * Math.sinh(u / 2) ** 2 + balance * Math.sinh(u));
    },
  };
}

/**
 * The largest Kullback–Leibler divergence of an ε-DP mechanism, the limit of D_α at order 1: ε·tanh(ε/2).
 * Source: Bun & Steinke 2016, Prop. 3.3; attained by randomized response.
 * Direction: exact
 * @example pureKullbackLeibler(1) // => 0.46211715726
 */
export function pureKullbackLeibler(epsilon: number): number {
  return roundedUp(checkFiniteLoss("epsilon", epsilon) * Math.tanh(epsilon / 2));
}
