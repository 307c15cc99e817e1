import { membershipAdvantage } from "../../conversions/membership-advantage.ts";
import { approximateTradeoff } from "../../conversions/tradeoff.ts";
import { zcdpAdvantage, zcdpTruePositives } from "../../conversions/zcdp-odds.ts";
import type { PrivacyLoss } from "../../losses/measures/loss.ts";
import { type Rational, toDouble, zero } from "../../numeric/rational.ts";
import { ndtri } from "../../numeric/special/ndtri.ts";
import { falsePositives, noneHidden, type Odds } from "./odds.ts";

/** Beyond this ε, and this ρ, nothing is claimed to be hidden: e^ε is no double any more, and the odds are 1 to thirteen digits. */
const most = 700;

/**
 * The odds of the worst mechanism of a loss, where nothing else is known of it: of (ε, δ)-DP, randomized response that fails with chance δ; of ρ-zCDP, what
 * {@link zcdpAdvantage} and {@link zcdpTruePositives} prove.
 * @example lossOdds({ measure: "zcdp", rho: ratio(1n, 10n), delta: ratio(0n) }).advantage // => 0.2217419
 */
export function lossOdds(loss: PrivacyLoss): Odds {
  if (loss.measure === "zcdp") {
    const [rho, delta] = [toDouble(loss.rho, "up"), toDouble(loss.delta, "up")];
    if (!(rho <= most && delta < 1)) return noneHidden;
    return {
      advantage: zcdpAdvantage(rho, delta),
      mu: rho === 0 && delta === 0 ? 0 : null,
      truePositives: zcdpTruePositives(rho, delta, falsePositives),
    };
  }
  return approximateOdds(loss.epsilon, loss.measure === "pure" ? zero : loss.delta);
}

function approximateOdds(epsilon: Rational, delta: Rational): Odds {
  const [e, d] = [toDouble(epsilon, "up"), toDouble(delta, "up")];
  if (!(e <= most && d < 1)) return noneHidden;
  return {
    advantage: membershipAdvantage(epsilon, delta),
    mu: d === 0 ? pureMu(e) : null,
    truePositives: Math.min(1, (1 - approximateTradeoff(e, d, falsePositives).lower) * (1 + 1e-15)),
  };
}

/**
 * μ of an ε-DP mechanism: randomized response has one corner, where both errors are 1/(1 + e^ε), and the Gaussian's function is convex.
 * Source: Dong, Roth & Su 2022, Prop. 2.5 and Def. 2.6.
 * Direction: exact, rounded up
 */
export function pureMu(epsilon: number): number {
  return epsilon === 0 ? 0 : -2 * ndtri(1 / (1 + Math.exp(epsilon))) * (1 + 1e-14) + 1e-15;
}
