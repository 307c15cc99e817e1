import { groupPure } from "../../conversions/composition/group-privacy.ts";
import {
  optimalCompositionDelta,
  optimalCompositionEpsilon,
} from "../../conversions/composition/optimal-composition.ts";
import type { Range } from "../../conversions/search/least-epsilon.ts";
import { addUp, multiplyUp } from "../../numeric/directed.ts";
import { boundedCurve } from "../bounded-curve.ts";
import type { LossAlgebra } from "../loss-algebra.ts";
import { checkedCount, checkGroup, drawnParts } from "../part-weights.ts";
import { sampledApproximate } from "../sampled-approximate.ts";
import { provenSample } from "../sampled-rate.ts";

/** ε-DP. */
export interface PureUpperLoss {
  readonly epsilon: number;
  /** Whether nothing else is known: then the loss is the worst of all ε-DP mechanisms, and lower ends are theirs. */
  readonly tight?: boolean;
}

const none: PureUpperLoss = { epsilon: 0 };

/**
 * Pure privacy: ε adds up. One ε-DP mechanism is at worst randomized response, δ(ε′) = (e^ε − e^ε′)/(1 + e^ε).
 * Source: Dwork & Roth 2014, Thm 3.14; Kairouz, Oh & Viswanath 2017, Thm 2.5 (A Fact 1.2, D Thm 3.14).
 * Direction: upper
 * @example pureAlgebra.curve(pureAlgebra.power({ epsilon: 0.1 }, 5n)).epsilon(0).upper // => 0.5
 */
export const pureAlgebra: LossAlgebra<PureUpperLoss> = {
  id: "pure",
  none,
  compose(losses) {
    const costly = losses.filter(({ epsilon }) => epsilon !== 0);
    if (costly.length <= 1) return costly[0] ?? none;
    return { epsilon: costly.reduce((sum, { epsilon }) => addUp(sum, epsilon), 0) };
  },
  power(loss, n) {
    const count = checkedCount(n);
    if (count === 0) return none;
    return count === 1 ? loss : { epsilon: multiplyUp(loss.epsilon, count) };
  },
  group: (loss, k) => (checkGroup(k) === 1n ? loss : { epsilon: groupPure(loss.epsilon, k) }),
  mix(parts) {
    const drawn = drawnParts(parts);
    return drawn.length === 1
      ? drawn[0].loss
      : { epsilon: Math.max(...drawn.map(({ loss }) => loss.epsilon)) };
  },
  sample(loss, scheme, adjacency) {
    const sample = provenSample(scheme, adjacency);
    if (sample === null) return null;
    if (sample.rate === 1 && sample.pairing !== "poisson-replace") return loss;
    return { epsilon: sampledApproximate({ epsilon: loss.epsilon, delta: 0 }, sample).epsilon };
  },
  curve({ epsilon, tight }) {
    const run = { epsilon, delta: 0, count: 1 };
    return boundedCurve({
      provenance: {
        lower: "pure, randomized response (Kairouz–Oh–Viswanath 2017)",
        upper: "pure, randomized response (Kairouz–Oh–Viswanath 2017)",
      },
      tight: tight ?? false,
      delta: (at) => (at >= epsilon ? { lower: 0, upper: 0 } : optimalCompositionDelta(run, at)),
      epsilon: (delta) =>
        capped(delta === 0 ? { lower: epsilon, upper: epsilon } : optimalCompositionEpsilon(run, delta)),
      reach: epsilon,
    });
    function capped({ lower, upper }: Range): Range {
      return { lower: Math.min(lower, epsilon), upper: Math.min(upper, epsilon) };
    }
  },
};
