import type { BitSource } from "../../entropy/bit-source.ts";
import { type Exact, unseal } from "../../exact/exact.ts";
import type { Selection } from "./selection.ts";

/**
 * Returns the index that a selection chooses by sealed scores: the scores stay sealed, and the index alone leaves. It costs the selection's event.
 * Source: McSherry & Talwar 2007, Thm 6; proof: ../exponential/exponential.proof.md and those of the other selections.
 * Direction: exact.
 * Errors: parameter.invalid for no candidates or scores that are not bigints.
 * @example chooseSealed(exponentialFor({ epsilon: 1, sensitivity: 1n }), seal([3n, 10n, 9n]), bits) // 1, most likely
 */
export function chooseSealed(
  selection: Pick<Selection, "choose">,
  scores: Exact<readonly bigint[]>,
  bits: BitSource,
): number {
  return selection.choose(unseal(scores), bits);
}
