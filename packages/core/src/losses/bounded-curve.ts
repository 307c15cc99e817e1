import { checkDelta, checkEpsilon } from "../conversions/search/checks.ts";
import type { Range } from "../conversions/search/least-epsilon.ts";
import { checkTypeOne, tradeoffFromProfile } from "../conversions/tradeoff.ts";
import type { Bounds, PrivacyCurve } from "./measures/privacy-curve.ts";

/** The proven ranges of one loss in a representation: both ends of each view, in doubles rounded outward. */
export interface ProvenRanges {
  /** The theorem that proves each end. */
  readonly provenance: { readonly lower: string; readonly upper: string };
  /** Whether the lower ends are proven; otherwise they become trivial. */
  readonly tight: boolean;
  delta(epsilon: number): Range;
  epsilon(delta: number): Range;
  /** Left out, it is the supremum of lines under δ(ε), which looks for ε up to `reach`. */
  tradeoff?(alpha: number): Range;
  readonly reach?: number;
  /** The most evaluations of δ(ε) for a trade-off; 200 unless stated. */
  readonly evaluations?: number;
}

/** The provenance of an end that nothing proves. */
export const nothing = "trivial";

/** The curve of what is proven: arguments checked, unproven ends trivial. */
export function boundedCurve(proven: ProvenRanges): PrivacyCurve {
  const { tight } = proven;
  const provenance = tight ? proven.provenance : { lower: nothing, upper: proven.provenance.upper };
  const deltaAt = (epsilon: number): Range => {
    const { lower, upper } = proven.delta(epsilon);
    return { lower: tight ? lower : 0, upper };
  };
  const bounds = ({ lower, upper }: Range): Bounds => ({ lower, upper, provenance });
  return {
    delta: (epsilon) => bounds(deltaAt(checkEpsilon(epsilon))),
    epsilon(delta) {
      const { lower, upper } = proven.epsilon(checkDelta(delta));
      return bounds({ lower: tight ? lower : 0, upper });
    },
    tradeoff(alpha) {
      checkTypeOne(alpha);
      const { lower, upper } = proven.tradeoff
        ? proven.tradeoff(alpha)
        : tradeoffFromProfile(deltaAt, alpha, proven.reach ?? 50, proven.evaluations ?? 200);
      // Here the lower end is the claim that is safe, and the upper one needs the proof of tightness.
      return {
        lower,
        upper: tight ? upper : 1 - alpha,
        provenance: { lower: provenance.upper, upper: provenance.lower },
      };
    },
  };
}
