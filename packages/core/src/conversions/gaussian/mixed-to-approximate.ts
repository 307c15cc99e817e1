import type { ApproximateLoss } from "../../losses/measures/loss.ts";
import type { MixedLoss } from "../../losses/measures/mixed.ts";
import { add, type Rational, subtract } from "../../numeric/rational.ts";
import { epsilonFromRho } from "../canonne-kamath-steinke.ts";
import { rhoFromGaussian } from "../gaussian-to-zcdp.ts";
import { nothingLeft } from "../zcdp-to-approximate.ts";
import { epsilonFromGaussian } from "./gaussian-to-approximate.ts";

/**
 * A mechanism above f(ε,δ) ⊗ G(μ) ⊗ ρ-zCDP is (ε + ε′, δ_target)-DP, where ε′ prices the Gaussian and zCDP parts, all
 * composed first, at δ_target − δ: basic composition of two parts. Without discrete noise of the zCDP kind ε′ is the
 * exact Gaussian's; with it, μ adds μ²/2 to ρ (Bun & Steinke 2016, Prop. 1.6). Rounded up.
 * Without either part nothing needs the target, and the loss is (ε, δ) as it stands.
 * Source: Dwork & Roth 2014, Thm 3.16 (D Thm 3.14), of Balle & Wang 2018, Thm 8, or Canonne, Kamath & Steinke 2020,
 * Prop. 12.
 * Direction: upper.
 * Errors: query.missing-delta when δ exceeds the target, or leaves nothing of it for a part that needs some.
 */
export function approximateFromMixed(loss: MixedLoss, target: Rational): ApproximateLoss {
  const left = subtract(target, loss.delta);
  const free = loss.muSquared.num === 0n && loss.rho.num === 0n;
  if (free && left.num >= 0n) return { measure: "approximate", epsilon: loss.epsilon, delta: loss.delta };
  if (!(left.num > 0n)) throw nothingLeft(target, loss.delta);
  const noise =
    loss.rho.num === 0n
      ? epsilonFromGaussian(loss.muSquared, left)
      : epsilonFromRho(add(loss.rho, rhoFromGaussian(loss.muSquared)), left);
  return { measure: "approximate", epsilon: add(loss.epsilon, noise), delta: target };
}
