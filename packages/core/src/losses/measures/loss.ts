import type { Rational } from "../../numeric/rational.ts";

/** The privacy measures an account can be kept in. */
export type PrivacyMeasure = "pure" | "approximate" | "zcdp";

/** ε-DP. */
export interface PureLoss {
  readonly measure: "pure";
  readonly epsilon: Rational;
}
/** (ε, δ)-DP. */
export interface ApproximateLoss {
  readonly measure: "approximate";
  readonly epsilon: Rational;
  readonly delta: Rational;
}
/** δ-approximate ρ-zCDP (Bun & Steinke 2016, Def. 8.1); δ = 0 is ρ-zCDP. */
export interface ZcdpLoss {
  readonly measure: "zcdp";
  readonly rho: Rational;
  readonly delta: Rational;
}
/** A value under one measure; what a query incurs and what the ledger records as a charge. Exact, never a double. */
export type PrivacyLoss = PureLoss | ApproximateLoss | ZcdpLoss;

/** The same with the rationals as texts that parseRational reads exactly: what plans, charges and certificates carry. */
export interface PureLossText {
  readonly measure: "pure";
  readonly epsilon: string;
}
export interface ApproximateLossText {
  readonly measure: "approximate";
  readonly epsilon: string;
  readonly delta: string;
}
export interface ZcdpLossText {
  readonly measure: "zcdp";
  readonly rho: string;
  readonly delta: string;
}
export type PrivacyLossText = PureLossText | ApproximateLossText | ZcdpLossText;
