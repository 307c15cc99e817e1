import type { PrivacyLoss, PrivacyMeasure, Rational } from "@lethe/core";

const symbols: Readonly<Record<PrivacyMeasure, string>> = { pure: "ε", approximate: "ε", zcdp: "ρ" };

/** Returns the symbol of the measure's main number: ε or ρ. */
export function symbolOf(measure: PrivacyMeasure): string {
  return symbols[measure];
}

/** The number that analysts hold sub-caps of: ε or ρ. */
export function mainOf(loss: PrivacyLoss): Rational {
  return "rho" in loss ? loss.rho : loss.epsilon;
}

export function withMain(loss: PrivacyLoss, main: Rational): PrivacyLoss {
  return "rho" in loss ? { ...loss, rho: main } : { ...loss, epsilon: main };
}

/** δ, or null where the measure has none. */
export function deltaOf(loss: PrivacyLoss): Rational | null {
  return "delta" in loss ? loss.delta : null;
}

export function withDelta(loss: PrivacyLoss, delta: Rational): PrivacyLoss {
  return "delta" in loss ? { ...loss, delta } : loss;
}
