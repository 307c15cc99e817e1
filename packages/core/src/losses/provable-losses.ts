import type { PureLoss, ZcdpLoss } from "./measures/loss.ts";
import type { MixedLoss } from "./measures/mixed.ts";
import type { DominatingPair } from "./pld/pairs/dominating-pair.ts";
import type { RenyiCurve } from "./renyi/curves/renyi-curve.ts";

/** Every loss a mechanism can prove of one event; null where no finite one holds. What an accountant folds. */
export interface ProvableLosses {
  readonly pure: PureLoss | null;
  readonly mixed: MixedLoss | null;
  readonly zcdp: ZcdpLoss | null;
  /** For calculators, where it says more than `mixed` does. Absent or null: what follows from `mixed`. */
  readonly renyi?: RenyiCurve | null;
  /** For calculators, where it says more than `mixed` does. Absent or null: what follows from `mixed`. */
  readonly pair?: DominatingPair | null;
}
