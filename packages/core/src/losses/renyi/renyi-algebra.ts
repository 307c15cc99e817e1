import { deltaFromRenyi, epsilonFromRenyi } from "../../conversions/renyi-to-approximate.ts";
import { boundedCurve, nothing } from "../bounded-curve.ts";
import type { LossAlgebra } from "../loss-algebra.ts";
import { checkedCount, checkGroup, drawnParts } from "../part-weights.ts";
import { provenSample } from "../sampled-rate.ts";
import { composeRenyi, type RenyiTerm } from "./curves/compose-renyi.ts";
import { groupRenyi } from "./curves/group-renyi.ts";
import { mixedRenyi } from "./curves/mixed-renyi.ts";
import type { RenyiCurve } from "./curves/renyi-curve.ts";
import { sampledRenyi } from "./curves/sampled-renyi.ts";
import { sampledWithoutReplacementRenyi } from "./curves/sampled-without-replacement-renyi.ts";

/** Runs of mechanisms with known Rényi curves. */
export interface RenyiUpperLoss {
  readonly terms: readonly RenyiTerm[];
}

const none: RenyiUpperLoss = { terms: [] };

/**
 * Rényi privacy: at every order the divergences add up; the order is chosen last, from a continuum.
 * Source: Mironov 2017, Prop. 1; Canonne, Kamath & Steinke 2020, Prop. 12 (C Lemma 7, C Lemma 8).
 * Direction: upper
 * @example renyiAlgebra.curve({ terms: [{ curve: gaussianRenyi(1), count: 1n }] }).epsilon(1e-6).upper // => 5.2215344445
 */
export const renyiAlgebra: LossAlgebra<RenyiUpperLoss> = {
  id: "renyi",
  none,
  compose: (losses) => ({ terms: merged(losses.flatMap(({ terms }) => terms)) }),
  power: ({ terms }, n) =>
    checkedCount(n) === 0 ? none : { terms: terms.map(({ curve, count }) => ({ curve, count: count * n })) },
  group: ({ terms }, k) => {
    checkGroup(k);
    return { terms: terms.map(({ curve, count }) => ({ curve: groupRenyi(curve, k), count })) };
  },
  mix(parts) {
    const drawn = drawnParts(parts);
    if (drawn.length === 1) return drawn[0].loss;
    return one(mixedRenyi(drawn.map(({ weight, loss }) => ({ weight, curve: composeRenyi(loss.terms) }))));
  },
  sample(loss, scheme, adjacency) {
    const sample = provenSample(scheme, adjacency);
    if (sample === null || sample.pairing === "poisson-replace") return null;
    if (sample.rate === 0) return none;
    if (sample.rate === 1) return loss;
    const curve = composeRenyi(loss.terms);
    if (scheme.kind !== "without-replacement") return one(sampledRenyi(curve, scheme.rate));
    return one(sampledWithoutReplacementRenyi(curve, scheme.population, scheme.sample));
  },
  curve({ terms }) {
    const curve = composeRenyi(terms);
    return boundedCurve({
      provenance: { lower: nothing, upper: "rényi, Canonne–Kamath–Steinke 2020 Prop. 12" },
      tight: false,
      delta: (epsilon) => ({ lower: 0, upper: deltaFromRenyi(curve, epsilon) }),
      epsilon: (delta) => ({ lower: 0, upper: epsilonFromRenyi(curve, delta) }),
      evaluations: 64,
    });
  },
};

function one(curve: RenyiCurve): RenyiUpperLoss {
  return { terms: [{ curve, count: 1n }] };
}

/** The same curve object, counted once. */
function merged(terms: readonly RenyiTerm[]): readonly RenyiTerm[] {
  const counted = new Map<RenyiCurve, bigint>();
  for (const { curve, count } of terms) counted.set(curve, (counted.get(curve) ?? 0n) + count);
  return [...counted].map(([curve, count]) => ({ curve, count }));
}
