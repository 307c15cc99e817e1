import type { ModelColumn } from "./model.ts";
import type { OwnersWords } from "./owners-words.ts";

/** What every model that is trained on rows says of them, its columns resolved by a policy. */
export interface RowTask extends OwnersWords {
  /** The table or view of the policy. */
  readonly source: string;
  /** A condition on its rows, as SQL; null for all. */
  readonly where: string | null;
  readonly target: ModelColumn;
  readonly features: readonly ModelColumn[];
}
