import { groupGaussian } from "../../conversions/composition/group-privacy.ts";
import { gaussianDelta, gaussianEpsilon } from "../../conversions/gaussian/gaussian-profile.ts";
import type { Range } from "../../conversions/search/least-epsilon.ts";
import { gaussianTradeoff } from "../../conversions/tradeoff.ts";
import { addUp, multiplyUp, sqrtDown, sqrtUp } from "../../numeric/directed.ts";
import { boundedCurve } from "../bounded-curve.ts";
import type { LossAlgebra } from "../loss-algebra.ts";
import { checkedCount, checkGroup, drawnParts } from "../part-weights.ts";
import { provenSample } from "../sampled-rate.ts";

/** μ-Gaussian DP, by its square: (Δ₂/σ)² for the Gaussian mechanism. */
export interface GaussianUpperLoss {
  readonly muSquared: number;
  /** Whether the mechanism is a Gaussian one of this μ, and not only at most as bad: then both ends are exact. */
  readonly tight?: boolean;
}

const none: GaussianUpperLoss = { muSquared: 0, tight: true };
const name = "gaussian, exact (Balle–Wang 2018; Dong–Roth–Su 2022)";

/**
 * Gaussian privacy: μ² adds up, exactly.
 * Source: Dong, Roth & Su 2022, Cor. 3.3; Balle & Wang 2018, Thm 8 (A Thm 2.7, C Prop. 2).
 * Direction: exact
 * @example gaussianAlgebra.curve(gaussianAlgebra.power({ muSquared: 0.25 }, 4n)).epsilon(1e-5).upper // => 4.3771780957
 */
export const gaussianAlgebra: LossAlgebra<GaussianUpperLoss> = {
  id: "gaussian",
  none,
  compose(losses) {
    const costly = losses.filter(({ muSquared }) => muSquared !== 0);
    if (costly.length <= 1) return costly[0] ?? none;
    const muSquared = costly.reduce((sum, loss) => addUp(sum, loss.muSquared), 0);
    return { muSquared, tight: costly.every(({ tight }) => tight ?? false) };
  },
  power(loss, n) {
    const count = checkedCount(n);
    if (count === 0) return none;
    return { muSquared: multiplyUp(loss.muSquared, count), tight: loss.tight ?? false };
  },
  group: (loss, k) => (checkGroup(k) === 1n ? loss : { muSquared: groupGaussian(loss.muSquared, k) }),
  // A mixture by public coins of mechanisms above G(μ) is above it, because G(μ) is convex.
  mix(parts) {
    const drawn = drawnParts(parts);
    return drawn.length === 1
      ? drawn[0].loss
      : { muSquared: Math.max(...drawn.map(({ loss }) => loss.muSquared)) };
  },
  // A sampled Gaussian is not a Gaussian: other representations hold it.
  sample(loss, scheme, adjacency) {
    const sample = provenSample(scheme, adjacency);
    if (sample === null || sample.pairing === "poisson-replace") return null;
    if (sample.rate === 0) return none;
    return sample.rate === 1 ? loss : null;
  },
  curve({ muSquared, tight }) {
    // μ² was rounded up an ulp for each loss that came in: the lower ends make room for a thousand of them.
    const [low, high] = [sqrtDown(muSquared) * (1 - 2 ** -42), sqrtUp(muSquared)];
    const outer = (of: (mu: number) => Range): Range => ({ lower: of(low).lower, upper: of(high).upper });
    return boundedCurve({
      provenance: { lower: name, upper: name },
      tight: tight ?? false,
      delta: (epsilon) => outer((mu) => gaussianDelta(mu, epsilon)),
      epsilon: (delta) => outer((mu) => gaussianEpsilon(mu, delta)),
      tradeoff(alpha) {
        return { lower: gaussianTradeoff(high, alpha).lower, upper: gaussianTradeoff(low, alpha).upper };
      },
    });
  },
};
