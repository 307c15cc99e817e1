import { checkDelta, checkEpsilon } from "../conversions/search/checks.ts";
import { checkTypeOne } from "../conversions/tradeoff.ts";
import type { Bounds, PrivacyCurve } from "../losses/measures/privacy-curve.ts";
import { attempt } from "./attempt.ts";

const trivial = (lower: number, upper: number): Bounds => ({
  lower,
  upper,
  provenance: { lower: "trivial", upper: "trivial" },
});

/**
 * A representation's curve that names the arrows walked to its loss. A question is checked first; if the representation then cannot take the
 * numbers of the loss (beyond doubles), the answer is the trivial one.
 */
export function provenCurve(curve: PrivacyCurve, via: readonly string[]): PrivacyCurve {
  const named = (end: string): string =>
    end === "trivial" || via.length === 0 ? end : `${end} (${via.join("; ")})`;
  const relabelled = ({ lower, upper, provenance }: Bounds): Bounds => ({
    lower,
    upper,
    provenance: { lower: named(provenance.lower), upper: named(provenance.upper) },
  });
  const ask = (question: () => Bounds, otherwise: Bounds): Bounds => {
    const bounds = attempt(question);
    return bounds === null ? otherwise : relabelled(bounds);
  };
  return {
    epsilon(delta) {
      checkDelta(delta);
      return ask(() => curve.epsilon(delta), trivial(0, Number.POSITIVE_INFINITY));
    },
    delta(epsilon) {
      checkEpsilon(epsilon);
      return ask(() => curve.delta(epsilon), trivial(0, 1));
    },
    tradeoff(alpha) {
      checkTypeOne(alpha);
      return ask(() => curve.tradeoff(alpha), trivial(0, 1 - alpha));
    },
  };
}
