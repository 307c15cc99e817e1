import type { Rational } from "@lethe/core";
import { compare } from "@lethe/core/numeric";
import { exceeding, hockeyStick, type Neighbours } from "./hockey-stick.ts";

/**
 * The forms of (ε, δ)-indistinguishability (B, Claim 1.1) that the enclosed masses refute: of every set, of every single outcome, of the privacy
 * loss. At δ = 0 they say the same; for δ > 0 single outcomes promise less, the loss more.
 */
export interface RefutedForms {
  readonly sets: boolean;
  readonly outcomes: boolean;
  readonly losses: boolean;
}

/**
 * Source: B, Claim 1.1; forms as in ./pure-forms.ts, for laws that are known up to enclosures and of any size.
 * Direction: lower: what is called refuted is false; what is not called so may be false by less than the enclosures' width.
 */
export function refutedForms(
  pair: Neighbours,
  { epsilon, delta }: { readonly epsilon: Rational; readonly delta: Rational },
): RefutedForms {
  const over = exceeding(pair, epsilon);
  return {
    sets: compare(hockeyStick(pair, epsilon).lo, delta) > 0,
    outcomes: compare(over.most, delta) > 0,
    losses: compare(over.mass, delta) > 0,
  };
}
