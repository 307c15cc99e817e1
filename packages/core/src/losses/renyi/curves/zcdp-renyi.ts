import { invalidParameter } from "../../../errors/lethe-error.ts";
import { checkFiniteLoss, checkOrder, type RenyiCurve, roundedUp } from "./renyi-curve.ts";

/**
 * A ρ-zCDP mechanism, or a (ρ, ω)-tCDP one: D_α ≤ αρ for every order 1 < α < ω; nothing is known from ω on.
 * Source: Bun & Steinke 2016, Def. 1.1; Bun, Dwork, Rothblum & Steinke 2018, Def. 1 (A Def. 2.4, C Def. 3).
 * Direction: upper
 * Errors: parameter.invalid unless ρ ≥ 0 is finite and ω > 1.
 * @example zcdpRenyi(0.5).at(2) // => 1
 * @example zcdpRenyi(0.5, 10).at(10) // => Infinity
 */
export function zcdpRenyi(rho: number, omega: number = Number.POSITIVE_INFINITY): RenyiCurve {
  checkFiniteLoss("rho", rho);
  if (!(omega > 1)) throw invalidParameter("omega", omega, "> 1");
  return {
    id: omega === Number.POSITIVE_INFINITY ? `zcdp(ρ=${rho})` : `tcdp(ρ=${rho}, ω=${omega})`,
    tight: false,
    at: (order) => (checkOrder(order) < omega ? roundedUp(order * rho) : Number.POSITIVE_INFINITY),
  };
}
