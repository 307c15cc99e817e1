import type { Rational } from "../../numeric/rational.ts";
import type { QuantileRange } from "./quantile-range.ts";

/** The continuous laws that integer noises are close to; "none" is no noise. */
export type NoiseFamily = "laplace" | "gaussian" | "none";

/** The law of one integer noise Z, symmetric around 0, as far as accuracy needs it. */
export interface NoiseLaw {
  /** The continuous law V that Z is close to: Laplace of this scale, or normal of this standard deviation. */
  readonly family: NoiseFamily;
  /** Rounded up. 0 for no noise. */
  readonly scale: number;
  /** Z and V can be drawn together so that |Z − V| ≤ coupling (but for a chance below 1e-9). */
  readonly coupling: number;
  /** E[Z²], exact in doubles (relative 1e-12). */
  variance(): number;
  /** P[Z = z] for z ≥ 0. */
  mass(z: number): number;
  /** Returns at least P[|Z| > z], for integers z ≥ 0. */
  beyond(z: number): number;
  /** Returns the smallest q for which P[|Z| > q] ≤ alpha is certain. */
  quantile(alpha: Rational): bigint;
  /** Two doubles that the integer of {@link quantile} lies between, at a small part of its cost. */
  quantileRange(alpha: Rational): QuantileRange;
}
