import { additiveMeasure } from "./additive-measure.ts";
import type { ZcdpLoss, ZcdpLossText } from "./loss.ts";
import type { Measure } from "./measure.ts";

/**
 * δ-approximate ρ-zCDP. ρ adds up, and δ₁ + δ₂ − δ₁δ₂ ≤ δ₁ + δ₂ bounds the δ of a composition
 * (Bun & Steinke 2016, Lemma 2.3 and Lemma 8.2).
 */
export const zcdp: Measure<ZcdpLoss, ZcdpLossText> = additiveMeasure("zcdp", ["rho", "delta"]);
