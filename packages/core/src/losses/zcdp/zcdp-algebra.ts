import { groupTcdp } from "../../conversions/composition/group-privacy.ts";
import { deltaFromTcdp, epsilonFromTcdp } from "../../conversions/tcdp-to-approximate.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { addUp, multiplyUp } from "../../numeric/directed.ts";
import { boundedCurve, nothing } from "../bounded-curve.ts";
import type { LossAlgebra } from "../loss-algebra.ts";
import { checkedCount, checkGroup, drawnParts } from "../part-weights.ts";
import { provenSample } from "../sampled-rate.ts";

/** (ρ, ω)-tCDP; ω = ∞ is ρ-zCDP. */
export interface ZcdpUpperLoss {
  readonly rho: number;
  readonly omega: number;
}

const none: ZcdpUpperLoss = { rho: 0, omega: Number.POSITIVE_INFINITY };

/**
 * Concentrated privacy: ρ adds up, and the smallest ω stays.
 * Source: Bun & Steinke 2016, Lemma 1.7; Bun, Dwork, Rothblum & Steinke 2018, Lemma 2 (A Thm 3.1).
 * Direction: upper
 * @example zcdpAlgebra.curve({ rho: 0.5, omega: Infinity }).epsilon(1e-6).upper // => 5.2215344445
 */
export const zcdpAlgebra: LossAlgebra<ZcdpUpperLoss> = {
  id: "zcdp",
  none,
  compose: (losses) => ({
    rho: losses.reduce((sum, { rho }) => addUp(sum, rho), 0),
    omega: Math.min(Number.POSITIVE_INFINITY, ...losses.map(({ omega }) => omega)),
  }),
  power(loss, n) {
    const count = checkedCount(n);
    return count === 0 ? none : { rho: multiplyUp(loss.rho, count), omega: loss.omega };
  },
  group: (loss, k) => groupTcdp(loss, checkGroup(k)),
  mix(parts) {
    const losses = drawnParts(parts).map(({ loss }) => loss);
    return {
      rho: Math.max(...losses.map(({ rho }) => rho)),
      omega: Math.min(...losses.map(({ omega }) => omega)),
    };
  },
  // A sampled ρ-zCDP mechanism is not zCDP of a smaller ρ: the Rényi representation holds it.
  sample(loss, scheme, adjacency) {
    const sample = provenSample(scheme, adjacency);
    if (sample === null || sample.pairing === "poisson-replace") return null;
    if (sample.rate === 0) return none;
    return sample.rate === 1 ? loss : null;
  },
  curve({ rho, omega }) {
    if (!(omega > 1)) throw invalidParameter("omega", omega, "> 1");
    return boundedCurve({
      provenance: { lower: nothing, upper: "zcdp, Canonne–Kamath–Steinke 2020 Prop. 12" },
      tight: false,
      delta: (epsilon) => ({ lower: 0, upper: deltaFromTcdp(rho, omega, epsilon) }),
      epsilon: (delta) => ({ lower: 0, upper: epsilonFromTcdp(rho, omega, delta) }),
      evaluations: 64,
    });
  },
};
