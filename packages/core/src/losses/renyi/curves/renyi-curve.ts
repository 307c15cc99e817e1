import { invalidParameter } from "../../../errors/lethe-error.ts";
import { logOnePlusExp } from "../../../numeric/special/log-space.ts";

/**
 * Proven upper bounds on a mechanism's Rényi divergences, as a function of a continuous order. Mironov 2017, Def. 4; C Def. 3 with
 * the field's convention: D_α itself is bounded, not D_α/α.
 */
export interface RenyiCurve {
  /** Names the formula and its parameters, for provenance. */
  readonly id: string;
  /** Whether some pair of neighbours of the mechanism (or of the class of mechanisms meant) attains the bound at every order. */
  readonly tight: boolean;
  /** (Δ₂/σ)² of a Gaussian mechanism whose curve this is, or by which it is bounded: sharper theorems then apply. */
  readonly muSquared?: number;
  /** A bound on the privacy loss itself (order ∞), where there is one: the mechanism is ε-DP with this ε. */
  readonly maxLoss?: number;
  /**
   * An upper bound on D_α over all neighbours in both directions, rounded up; +∞ where none is finite. Units: nats.
   * Errors: parameter.invalid unless 1 < α < ∞.
   */
  at(order: number): number;
}

/** Errors: parameter.invalid unless 1 < order < ∞. At order 1 the divergence is Kullback–Leibler's, the limit from above. */
export function checkOrder(order: number): number {
  if (!(order > 1 && order < Number.POSITIVE_INFINITY)) {
    throw invalidParameter("order", order, "above 1 and finite");
  }
  return order;
}

/** A number ≥ 0, finite. Errors: parameter.invalid. */
export function checkFiniteLoss(name: string, value: number): number {
  if (!(value >= 0 && value < Number.POSITIVE_INFINITY))
    throw invalidParameter(name, value, "≥ 0 and finite");
  return value;
}

/**
 * The relative margin by which every formula of this folder is rounded up. Each is a short sum of terms of one sign, written so
 * that nothing cancels, from functions good to a few 1e-16: what rounding can take away is below 1e-13, and the tests hold
 * the results against brackets of exact arithmetic.
 */
export const renyiMargin: number = 1e-12;

/** A computed divergence, made safe: the margin on top, never below zero, and +∞ in place of anything that is not a number. */
export function roundedUp(divergence: number, margin: number = renyiMargin): number {
  if (!(divergence < Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
  return Math.max(0, divergence * (1 + margin));
}

/** log(1 + x)/(α − 1) from x = E_Q[(P/Q)^α] − 1 ≥ 0, rounded up. */
export function divergenceFromExcess(order: number, excess: number): number {
  return roundedUp(Math.log1p(excess) / (order - 1));
}

/** The same from log x, which may be far beyond what a double holds. */
export function divergenceFromLogExcess(
  order: number,
  logExcess: number,
  margin: number = renyiMargin,
): number {
  return roundedUp(logOnePlusExp(logExcess) / (order - 1), margin);
}
