import { invalidParameter } from "../errors/lethe-error.ts";

declare const unit: unique symbol;

/** A double that passed the guard of its unit. For calculators; budgets and losses are exact rationals. */
type Branded<Name extends string> = number & { readonly [unit]: Name };

/** ε ≥ 0, finite: the exponent of a probability ratio (nats). */
export type Epsilon = Branded<"epsilon">;
/** 0 ≤ δ < 1: a probability. */
export type Delta = Branded<"delta">;
/** ρ ≥ 0, finite: zCDP. */
export type Rho = Branded<"rho">;
/** σ > 0, finite: a standard deviation (never a variance). */
export type Sigma = Branded<"sigma">;

/**
 * Errors: parameter.invalid for NaN, negative or infinite values.
 * @example epsilon(0.5)
 */
export function epsilon(x: number): Epsilon {
  if (!(x >= 0 && x < Number.POSITIVE_INFINITY)) throw invalidParameter("epsilon", x, "≥ 0 and finite");
  return x as Epsilon;
}

/** Errors: parameter.invalid for NaN and anything outside [0, 1). */
export function delta(x: number): Delta {
  if (!(x >= 0 && x < 1)) throw invalidParameter("delta", x, "at least 0 and below 1");
  return x as Delta;
}

/** Errors: parameter.invalid for NaN, negative or infinite values. */
export function rho(x: number): Rho {
  if (!(x >= 0 && x < Number.POSITIVE_INFINITY)) throw invalidParameter("rho", x, "≥ 0 and finite");
  return x as Rho;
}

/** Errors: parameter.invalid for NaN, zero, negative or infinite values. */
export function sigma(x: number): Sigma {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) throw invalidParameter("sigma", x, "> 0 and finite");
  return x as Sigma;
}
