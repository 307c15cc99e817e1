import { LetheError } from "../errors/lethe-error.ts";
import type { DominatingPair } from "../losses/pld/pairs/dominating-pair.ts";
import type { ProvableLosses } from "../losses/provable-losses.ts";
import type { RenyiCurve } from "../losses/renyi/curves/renyi-curve.ts";

export interface CalculatorLosses {
  readonly renyi?: () => RenyiCurve | null;
  readonly pair?: () => DominatingPair | null;
}

/** Computed when first asked for; null where the numbers lie outside what the formula can do in doubles. */
function lazily<T>(make: (() => T | null) | undefined): () => T | null {
  let value: T | null | undefined;
  return () => {
    if (value === undefined) {
      try {
        value = make?.() ?? null;
      } catch (error) {
        if (!(error instanceof LetheError && error.code === "parameter.invalid")) throw error;
        value = null;
      }
    }
    return value;
  };
}

/** Exact losses with the forms that only calculators read: an exact account never pays for making them. */
export function withCalculators(exact: ProvableLosses, calculators: CalculatorLosses): ProvableLosses {
  const renyi = lazily(calculators.renyi);
  const pair = lazily(calculators.pair);
  return {
    ...exact,
    get renyi() {
      return renyi();
    },
    get pair() {
      return pair();
    },
  };
}
