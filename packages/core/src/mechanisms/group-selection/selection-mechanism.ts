import type { BitSource } from "../../entropy/bit-source.ts";
import type { SelectionRuleName, SelectionRuleOf } from "../../events/event.ts";
import type { ProvableLosses } from "../../losses/provable-losses.ts";

/**
 * One rule of private group selection. `n` is units − (minUnits − 1) ≥ 1 throughout: {@link groupSelection} drops the
 * groups below the floor before a rule is asked.
 */
export interface SelectionMechanism<R extends SelectionRuleName> {
  /** The loss of a unit that changes the counts of at most `groups` groups, each by one. */
  losses(rule: SelectionRuleOf<R>, groups: bigint): ProvableLosses;
  /** Draws whether a group of n is kept. Setting up may be slow; the words drawn a group do not depend on n. */
  keeper(rule: SelectionRuleOf<R>): (n: bigint, bits: BitSource) => boolean;
  /** P[keep], to double precision. */
  probability(rule: SelectionRuleOf<R>, n: bigint): number;
  /** The least n that is kept with probability at least 1/2. */
  halfway(rule: SelectionRuleOf<R>): bigint;
}
