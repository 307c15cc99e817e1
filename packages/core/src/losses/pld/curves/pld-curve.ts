import { invalidParameter } from "../../../errors/lethe-error.ts";
import { aimOf } from "../../measures/aim.ts";
import type { Bounds, PrivacyCurve } from "../../measures/privacy-curve.ts";
import { type CountedPair, mergeGaussians, mergePairs, onlyStep } from "../law/counted-pair.ts";
import type { DominatingPair } from "../pairs/index.ts";
import type { Interval } from "../search/direction.ts";
import { PldComposition } from "../search/pld-composition.ts";
import { checkAlpha, checkDelta, checkEpsilon } from "./domains.ts";
import { gaussianCurve } from "./gaussian-curve.ts";
import { oneStep } from "./one-step-curve.ts";
import { pairOfTests } from "./pair-of-tests.ts";
import { tradeoffBounds } from "./tradeoff.ts";

const provenance = { lower: "pld", upper: "pld" };

export { defaultAccuracy } from "../../measures/aim.ts";

/**
 * ε, δ and trade-off of a composition of dominating pairs, each between proven bounds; `accuracy` is the width of an ε interval
 * that is aimed at, a ten-thousandth of ε within [1e-6, 1e-4] unless stated (a wider one is returned where it would cost too much). Sound in floating point: pld.proof.md.
 * Errors: parameter.invalid unless accuracy is in [1e-12, 1].
 * Source: Zhu, Dong & Wang 2022 (arXiv 2106.08567), Thm 10; pld.proof.md for both ends
 * Direction: upper
 * @example pldCurve([{ pair: sampledPair(gaussianPair(1 / 1.1), 256 / 60000), count: 14062n }]).epsilon(1e-5) // 2.3817 ± 1e-4
 */
export function pldCurve(pairs: readonly CountedPair[], accuracy?: number): PrivacyCurve {
  const merged = mergeGaussians(mergePairs(pairs));
  if (merged.length === 0) return gaussianCurve(0);
  const one = onlyStep(merged);
  if (one !== null && one.gaussian !== null) return gaussianCurve(one.gaussian);
  checkAccuracy(accuracy);
  if (one !== null) return oneStepCurve(one);
  return composedCurve(merged, accuracy);
}

/**
 * Upper bounds of δ(ε) for ε ≥ 0 and both directions, for many ε at a modest price each: what profilePair makes a pair of.
 * @example profilePair(pldProfile(pairs), "…")
 */
export function pldProfile(pairs: readonly CountedPair[]): (epsilon: number) => number {
  const merged = mergeGaussians(mergePairs(pairs));
  if (merged.length === 0) return () => 0;
  const one = onlyStep(merged);
  if (one !== null && one.gaussian !== null) {
    const curve = gaussianCurve(one.gaussian);
    return (epsilon) => curve.delta(epsilon).upper;
  }
  const composition = new PldComposition(merged, aimOf(undefined));
  return (epsilon) => composition.profile(epsilon).upper;
}

/**
 * Pairs that some neighbours reach, for the composition as one step: what nested tests tell of it, in either direction; none where the parts are bounds alone.
 */
export function pldReached(pairs: readonly CountedPair[], id: string): readonly DominatingPair[] {
  const merged = mergeGaussians(mergePairs(pairs));
  const profiles = merged.length === 0 ? null : new PldComposition(merged, aimOf(undefined)).reached();
  return profiles === null ? [] : [pairOfTests(profiles, id)];
}

/** Returns the curve of {@link pldCurve}, always by composing on a grid. */
export function composedCurve(pairs: readonly CountedPair[], accuracy?: number): PrivacyCurve {
  checkAccuracy(accuracy);
  const composition = new PldComposition(mergePairs(pairs), aimOf(accuracy));
  return curveOf(
    (epsilon) => composition.delta(epsilon),
    (delta) => composition.epsilon(delta),
    (epsilon) => composition.profile(epsilon),
  );
}

function oneStepCurve(pair: DominatingPair): PrivacyCurve {
  const step = oneStep(pair);
  return curveOf(step.delta, step.epsilon, step.profile);
}

function curveOf(
  delta: (epsilon: number) => Interval,
  epsilon: (delta: number) => Interval,
  profile: (epsilon: number) => Interval,
): PrivacyCurve {
  const bounds = ({ lower, upper }: Interval): Bounds => ({
    lower: Math.min(lower, upper),
    upper,
    provenance,
  });
  return {
    delta: (at) => {
      checkEpsilon(at);
      return bounds(delta(at));
    },
    epsilon: (target) => {
      checkDelta(target);
      return bounds(epsilon(target));
    },
    tradeoff: (alpha) => {
      checkAlpha(alpha);
      return bounds(tradeoffBounds(profile, alpha));
    },
  };
}

function checkAccuracy(accuracy: number | undefined): void {
  if (accuracy === undefined || (accuracy >= 1e-12 && accuracy <= 1)) return;
  throw invalidParameter("accuracy", accuracy, "a number in [1e-12, 1]");
}
