import { powerExcess } from "../../../numeric/special/power-excess.ts";
import {
  checkFiniteLoss,
  checkOrder,
  divergenceFromExcess,
  type RenyiCurve,
  roundedUp,
} from "./renyi-curve.ts";

/**
 * A mechanism of ε-bounded range (such as the exponential mechanism): the privacy loss of any two neighbours lies in some
 * [t − ε, t]. x ↦ x^α is convex and the ratio has mean 1, so the worst law of the loss sits on the two ends:
 *   D_α = max over 0 ≤ t ≤ ε of log( q·e^(αt) + (1−q)·e^(α(t−ε)) ) / (α − 1),   q = (e^(−t) − e^(−ε))/(1 − e^(−ε)).
 * The expectation is e^((α−1)t)·(a − b·e^t)/(1−e^(−ε)) with a = 1 − e^(−αε), b = e^(−ε)(1 − e^(−(α−1)ε)): largest where
 * e^t = (α−1)a/(αb). Never above α·ε²/8.
 * Source: Dong, Durfee & Rogers 2020 (arXiv 1909.13830), Def. 3.1 and Lemma 3.2; Cesar & Rogers 2021, Lemma 3.4 (A Thm 2.4).
 * Direction: exact
 * Errors: parameter.invalid unless ε ≥ 0 and finite.
 * @example boundedRangeRenyi(1).at(2) // => 0.240229
 */
export function boundedRangeRenyi(epsilon: number): RenyiCurve {
  checkFiniteLoss("epsilon", epsilon);
  return {
    id: `bounded-range(ε=${epsilon})`,
    tight: true,
    maxLoss: epsilon,
    at: (order) => atOrder(checkOrder(order), epsilon),
  };
}

function atOrder(order: number, epsilon: number): number {
  const quadratic = roundedUp((order * epsilon * epsilon) / 8);
  // To this order in αε the quadratic bound is the value; below, the place of the maximum would be lost to rounding.
  if (order * epsilon < 1e-6) return quadratic;
  const a = -Math.expm1(-order * epsilon);
  const b = -Math.expm1(-(order - 1) * epsilon);
  // e^(t−ε) = (α−1)a/(α·(1 − e^(−(α−1)ε))) ≤ 1.
  const below = Math.min(0, Math.log(((order - 1) * a) / (order * b)));
  const top = Math.max(0, epsilon + below);
  if (order * epsilon > 30) {
    // log F = (α−1)·t + log(a/α) − log(1 − e^(−ε)).
    const log = (order - 1) * top + Math.log(a / order) - Math.log(-Math.expm1(-epsilon));
    return Math.min(quadratic, roundedUp(log / (order - 1)));
  }
  const [above, under] = [Math.expm1(top), Math.expm1(top - epsilon)];
  // Masses under Q that make the ratio's mean 1.
  const [high, low] = [-under / (above - under), above / (above - under)];
  const excess = high * powerExcess(order, above) + low * powerExcess(order, under);
  return Math.min(quadratic, divergenceFromExcess(order, excess));
}
