import { groupApproximate } from "../../conversions/composition/group-privacy.ts";
import { heterogeneousComposition } from "../../conversions/composition/heterogeneous-composition.ts";
import { catastrophe, joined } from "../../conversions/composition/optimal-composition.ts";
import { deltaFromRenyi, epsilonFromRenyi } from "../../conversions/renyi-to-approximate.ts";
import { checkDelta } from "../../conversions/search/checks.ts";
import type { Range } from "../../conversions/search/least-epsilon.ts";
import { addUp, multiplyUp } from "../../numeric/directed.ts";
import { boundedCurve } from "../bounded-curve.ts";
import type { LossAlgebra } from "../loss-algebra.ts";
import type { PrivacyCurve } from "../measures/privacy-curve.ts";
import { checkedCount, checkGroup, drawnParts } from "../part-weights.ts";
import { composeRenyi } from "../renyi/curves/compose-renyi.ts";
import { pureRenyi } from "../renyi/curves/pure-renyi.ts";
import { type EpsilonDelta, sampledApproximate } from "../sampled-approximate.ts";
import { provenSample } from "../sampled-rate.ts";

/** `count` runs of an (ε, δ)-DP mechanism. */
export interface ApproximateTerm {
  readonly epsilon: number;
  readonly delta: number;
  readonly count: bigint;
}

/** Runs of (ε, δ)-DP mechanisms, kept apart so that their optimal composition can be taken. */
export interface ApproximateUpperLoss {
  readonly terms: readonly ApproximateTerm[];
  /** Whether nothing else is known of any of them: then the loss is the worst over all such mechanisms, and lower ends are theirs. */
  readonly tight?: boolean;
}

const none: ApproximateUpperLoss = { terms: [], tight: true };

/**
 * Approximate privacy by the optimal composition of all (ε, δ) pairs: Kairouz, Oh & Viswanath where all ε are equal, Murtagh & Vadhan
 * where they differ. With more than 10^6 distinct sums it is the smaller of basic composition and of the Rényi divergences of
 * randomized response, and says so.
 * Source: Kairouz, Oh & Viswanath 2017, Thm 3.3; Murtagh & Vadhan 2018, Thm 1.5 (C Thm 1).
 * Direction: upper
 * @example approximateAlgebra.curve({ terms: [{ epsilon: 0.1, delta: 0, count: 100n }] }).epsilon(1e-6).upper // => 4.7746
 */
export const approximateAlgebra: LossAlgebra<ApproximateUpperLoss> = {
  id: "approximate",
  none,
  compose: (losses) => ({
    terms: merged(losses.flatMap(({ terms }) => terms)),
    tight: losses.every(({ terms, tight }) => tight || terms.length === 0),
  }),
  power({ terms, tight }, n) {
    if (checkedCount(n) === 0) return none;
    const repeated = terms.map((term) => ({ ...term, count: term.count * n }));
    return { terms: repeated, tight: tight ?? false };
  },
  group(loss, k) {
    if (checkGroup(k) === 1n) return loss;
    return { terms: merged(loss.terms.map((term) => ({ ...groupApproximate(term, k), count: term.count }))) };
  },
  mix(parts) {
    const drawn = drawnParts(parts);
    if (drawn.length === 1) return drawn[0].loss;
    // Each is (max ε, δᵢ)-DP; the coins are public, so the mixture is (max ε, Σ wᵢ·δᵢ)-DP.
    const each = drawn.map(({ weight, loss }) => ({ weight, ...asOne(loss) }));
    const epsilon = Math.max(...each.map((part) => part.epsilon));
    const delta = each.reduce((sum, part) => addUp(sum, multiplyUp(part.weight, part.delta)), 0);
    return single({ epsilon, delta: Math.min(1, delta * (1 + 1e-9)) });
  },
  sample(loss, scheme, adjacency) {
    const sample = provenSample(scheme, adjacency);
    if (sample === null) return null;
    if (sample.rate === 1 && sample.pairing !== "poisson-replace") return loss;
    return single(sampledApproximate(asOne(loss), sample));
  },
  curve: ({ terms, tight }) => optimalCurve(terms, tight ?? false) ?? fallbackCurve(terms),
};

function single({ epsilon, delta }: EpsilonDelta): ApproximateUpperLoss {
  return { terms: [{ epsilon, delta, count: 1n }] };
}

/** Equal mechanisms counted together, in the order of their first appearance. */
function merged(terms: readonly ApproximateTerm[]): readonly ApproximateTerm[] {
  const counted = new Map<string, ApproximateTerm>();
  for (const term of terms) {
    const key = `${term.epsilon} ${term.delta}`;
    const before = counted.get(key)?.count ?? 0n;
    counted.set(key, { ...term, count: before + term.count });
  }
  return [...counted.values()];
}

function runsOf(terms: readonly ApproximateTerm[]): { epsilon: number; delta: number; count: number }[] {
  return terms.flatMap(({ epsilon, delta, count }) =>
    count === 0n ? [] : [{ epsilon, delta, count: checkedCount(count) }],
  );
}

/** All runs as one mechanism: ε by basic composition, δ as the chance that some run fails. */
function asOne({ terms }: ApproximateUpperLoss): EpsilonDelta {
  const runs = runsOf(terms);
  const epsilon = runs.reduce((sum, run) => addUp(sum, multiplyUp(run.epsilon, run.count)), 0);
  return { epsilon, delta: catastrophe(runs).upper };
}

function optimalCurve(terms: readonly ApproximateTerm[], tight: boolean): PrivacyCurve | null {
  const runs = runsOf(terms);
  if (runs.some(({ count }) => !(count <= Number.MAX_SAFE_INTEGER))) return null;
  if (runs.some(({ count }) => count > 1e10)) return null;
  const profile = heterogeneousComposition(runs);
  if (profile === null) return null;
  const name =
    new Set(runs.map(({ epsilon }) => epsilon)).size <= 1
      ? "approximate, optimal composition (Kairouz–Oh–Viswanath 2017)"
      : "approximate, optimal composition (Murtagh–Vadhan 2018)";
  const reach = asOne({ terms }).epsilon;
  return boundedCurve({ provenance: { lower: name, upper: name }, tight, ...profile, reach });
}

/** Too many sums to list: Rényi divergences of randomized response, and basic composition. */
function fallbackCurve(terms: readonly ApproximateTerm[]): PrivacyCurve {
  const curve = composeRenyi(terms.map(({ epsilon, count }) => ({ curve: pureRenyi(epsilon), count })));
  const basic = asOne({ terms });
  const some = { lower: 0, upper: basic.delta };
  const delta = (epsilon: number): Range => {
    if (epsilon >= basic.epsilon) return some;
    return { lower: 0, upper: joined(some, { lower: 0, upper: deltaFromRenyi(curve, epsilon) }).upper };
  };
  return boundedCurve({
    provenance: {
      lower: "trivial",
      upper: "approximate, Rényi divergence of randomized response, or basic composition",
    },
    tight: false,
    delta,
    epsilon(target) {
      checkDelta(target);
      if (target < basic.delta) return { lower: 0, upper: Number.POSITIVE_INFINITY };
      const left = ((target - basic.delta) / (1 - basic.delta)) * (1 - 1e-15);
      return { lower: 0, upper: Math.min(basic.epsilon, epsilonFromRenyi(curve, left)) };
    },
    reach: basic.epsilon,
    evaluations: 64,
  });
}
