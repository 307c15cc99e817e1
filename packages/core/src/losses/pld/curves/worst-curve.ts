import type { Bounds, PrivacyCurve } from "../../measures/privacy-curve.ts";

/** A curve, and the same more roughly at a fraction of the work. */
export interface Case {
  readonly curve: PrivacyCurve;
  readonly rough: PrivacyCurve;
}

/**
 * Returns the worst of several curves at every question: it holds for neighbours that one of them bounds, when it is not known which. The ε of
 * another curve is not sought where its rough δ proves that the worst so far covers it.
 */
export function worstCurve(cases: readonly Case[]): PrivacyCurve {
  const [first, ...others] = cases;
  if (first === undefined) throw new RangeError("the worst of no curves");
  if (others.length === 0) return first.curve;
  return {
    delta: (epsilon) => cases.map(({ curve }) => curve.delta(epsilon)).reduce(greater),
    epsilon: (delta) => {
      let worst = first.curve.epsilon(delta);
      for (const { curve, rough } of others) {
        if (!covers(worst.upper, rough, delta)) worst = greater(worst, curve.epsilon(delta));
      }
      return worst;
    },
    tradeoff: (alpha) => cases.map(({ curve }) => curve.tradeoff(alpha)).reduce(less),
  };
}

function covers(epsilon: number, rough: PrivacyCurve, delta: number): boolean {
  return epsilon === Number.POSITIVE_INFINITY || rough.delta(epsilon).upper <= delta;
}

/** The greater of either end, and who proves it. */
function greater(a: Bounds, b: Bounds): Bounds {
  const [low, high] = [b.lower > a.lower ? b : a, b.upper > a.upper ? b : a];
  return joined(low, high);
}

function less(a: Bounds, b: Bounds): Bounds {
  const [low, high] = [b.lower < a.lower ? b : a, b.upper < a.upper ? b : a];
  return joined(low, high);
}

function joined(low: Bounds, high: Bounds): Bounds {
  return {
    lower: low.lower,
    upper: high.upper,
    provenance: { lower: low.provenance.lower, upper: high.provenance.upper },
  };
}
