import { LetheError } from "../errors/lethe-error.ts";
import type { ApproximateLoss, ZcdpLoss } from "../losses/measures/loss.ts";
import { compare, type Rational, subtract, toText, zero } from "../numeric/rational.ts";
import { epsilonFromRho } from "./canonne-kamath-steinke.ts";

/**
 * δ₀-approximate ρ-zCDP implies (ε, δ)-DP for every δ > δ₀, with the ε of ρ-zCDP at δ − δ₀: outside an event of
 * probability δ₀ the mechanism is ρ-zCDP.
 * Source: Bun & Steinke 2016, Def. 8.1, with Canonne, Kamath & Steinke 2020, Prop. 12.
 * Direction: upper.
 * Errors: query.missing-delta when δ ≤ δ₀ and ρ > 0.
 */
export function approximateFromZcdp(loss: ZcdpLoss, delta: Rational): ApproximateLoss {
  const left = subtract(delta, loss.delta);
  if (loss.rho.num === 0n && compare(left, zero) >= 0)
    return { measure: "approximate", epsilon: zero, delta };
  if (!(compare(left, zero) > 0)) throw nothingLeft(delta, loss.delta);
  return { measure: "approximate", epsilon: epsilonFromRho(loss.rho, left), delta };
}

/** The refusal when the δ of a question is used up before its Gaussian noise is priced. */
export function nothingLeft(delta: Rational, used: Rational): LetheError {
  return new LetheError("query.missing-delta", `δ = ${toText(delta)} leaves nothing for the noise`, {
    fix: `give a δ above ${toText(used)}, which choosing the groups takes`,
    fields: { delta: toText(delta), used: toText(used) },
  });
}
