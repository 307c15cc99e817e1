/**
 * The proven bounds of a number: lower ≤ true value ≤ upper, in doubles rounded outward. The true value is that of the worst
 * pair of neighbours. An end that nothing proves is trivial: 0 below; above, 1 for a δ, 1 − α for a trade-off, +∞ for an ε.
 */
export interface Bounds {
  readonly lower: number;
  readonly upper: number;
  /** The representation and its theorem that prove each end, such as "pld" or "rényi, Canonne–Kamath–Steinke 2020 Prop. 12". */
  readonly provenance: { readonly lower: string; readonly upper: string };
  /** The width that was asked for, where the interval of an ε is wider. The interval is as sound as any other. */
  readonly missed?: number;
}

/** The three equal views of one loss. */
export interface PrivacyCurve {
  /** The least δ ∈ [0, 1] at which (ε, δ)-DP holds. Errors: parameter.invalid unless ε ≥ 0 (not NaN, not ∞). */
  delta(epsilon: number): Bounds;
  /** The least ε ≥ 0 at which (ε, δ)-DP holds; +∞ where none does. Errors: parameter.invalid unless 0 ≤ δ < 1. */
  epsilon(delta: number): Bounds;
  /**
   * f(α): the least type II error of a test of type I error ≤ α (Dong, Roth & Su 2022, Def. 2.1); 1 − α is perfect privacy, so
   * here the *lower* end is the claim that is safe. Errors: parameter.invalid unless 0 ≤ α ≤ 1.
   */
  tradeoff(alpha: number): Bounds;
}
