import { truncatedDelta } from "../amplification/truncated-poisson.ts";
import type { Bounds, PrivacyCurve } from "../losses/measures/privacy-curve.ts";
import { addUp, multiplyUp, subtractDown } from "../numeric/directed.ts";

const rounds = 60;

/**
 * The curve of a run that lies within `distance` in total variation of one whose curve is known: δ(ε) + (1 + e^ε)·distance. The lower ends
 * follow from the same inequality the other way round. Source: ../amplification/truncated-poisson.ts. Direction: upper.
 */
export function truncatedCurve(whole: PrivacyCurve, distance: number): PrivacyCurve {
  if (distance === 0) return whole;
  const named = ({ provenance }: Bounds): Bounds["provenance"] => ({
    lower: `${provenance.lower}, within a distance`,
    upper: `${provenance.upper}, plus the distance of cut samples`,
  });
  const price = (epsilon: number): number =>
    multiplyUp(addUp(1, multiplyUp(Math.exp(epsilon), 1 + 2 ** -50)), distance);

  function epsilon(delta: number): Bounds {
    // The least ε with δ(ε) + (1 + e^ε)·distance ≤ δ, from below: each round asks the whole run at what the last ε leaves.
    let bounds = whole.epsilon(delta);
    let upper = bounds.upper;
    for (let round = 0; round < rounds; round += 1) {
      const left = subtractDown(delta, price(upper));
      if (!(left >= 0))
        return { ...bounds, lower: 0, upper: Number.POSITIVE_INFINITY, provenance: named(bounds) };
      bounds = whole.epsilon(left);
      if (bounds.upper <= upper) break;
      upper = round < 20 ? bounds.upper : bounds.upper * (1 + 1e-9) + 1e-12;
    }
    const certified = bounds.upper <= upper ? upper : Number.POSITIVE_INFINITY;
    const slack = addUp(delta, price(certified));
    const lower = slack < 1 ? whole.epsilon(slack).lower : 0;
    return { lower, upper: certified, provenance: named(bounds) };
  }

  return {
    epsilon,
    delta(at) {
      const bounds = whole.delta(at);
      return {
        lower: Math.max(0, subtractDown(bounds.lower, price(at))),
        upper: truncatedDelta(bounds.upper, at, distance),
        provenance: named(bounds),
      };
    },
    tradeoff(alpha) {
      // Both errors move by at most the distance. A test of fewer false alarms than it need have none of the other's: then only guessing is claimed.
      const [from, to] = [Math.min(1, addUp(alpha, distance)), Math.max(0, alpha - 1.0000001 * distance)];
      const low = whole.tradeoff(from);
      return {
        lower: Math.max(0, subtractDown(low.lower, distance)),
        upper: alpha > distance ? Math.min(1 - alpha, addUp(whole.tradeoff(to).upper, distance)) : 1 - alpha,
        provenance: named(low),
      };
    },
  };
}
