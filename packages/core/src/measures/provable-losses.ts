import type { PureLoss, ZcdpLoss } from "./loss.ts";
import type { MixedLoss } from "./mixed.ts";

/** Every loss a mechanism can prove of one event; null where no finite one holds. What an accountant folds. */
export interface ProvableLosses {
  readonly pure: PureLoss | null;
  readonly mixed: MixedLoss | null;
  readonly zcdp: ZcdpLoss | null;
}
