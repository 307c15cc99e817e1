import { type BitSource, LetheError } from "@lethe/core";
import { privateCandidates, sealedVectorRelease } from "@lethe/core/mechanisms";
import { doubleAt, elementAt } from "@lethe/core/numeric";
import { uniformBelow } from "@lethe/core/samplers";
import { plannedAgain } from "../report/planned-again.ts";
import { type RunRows, sealedRows, sealedUnitRows } from "../rows/sealed-rows.ts";
import { runConvex } from "./convex-plan.ts";
import { gainSum } from "./gain-sum.ts";
import { planTuning, type TuningPlan } from "./plan-tuning.ts";

/** The best try. All of it may be released. */
export interface Tuned {
  /** The place of the plan among the candidates. */
  readonly candidate: number;
  readonly weights: Float64Array;
  /** The noisy sum of gains, in whole steps. */
  readonly score: number;
}

/**
 * Runs a paid choice among plans on rows, which stay sealed. The number of tries is drawn without the data and must not be told; the time that it takes tells it.
 * Source: Papernot & Steinke 2022, Alg. 1; proof: ./tuning.proof.md.
 * Errors: parameter.invalid for a plan that was changed, or lists whose lengths do not fit; none that a row's values decide.
 * @example runTuning(planTuning(request), { features, labels }, secureEntropy()).candidate // => 1, say
 */
export function runTuning(untrusted: TuningPlan, rows: RunRows, bits: BitSource): Tuned {
  const { request, noise, event } = plannedAgain(untrusted, planTuning);
  const { candidates, score } = request;
  if (event.kind !== "repeat-and-select") throw notATrial();
  const owned = sealedRows(score.problem, rows);
  const scored = sealedUnitRows(score.problem, owned);
  const best = privateCandidates({ trials: event.trials, event: event.event }).select((coins) => {
    const candidate = Number(uniformBelow(BigInt(candidates.length), coins));
    const weights = runConvex(elementAt(candidates, candidate), owned, coins);
    const gain = sealedVectorRelease(noise, coins)(gainSum(score.problem, scored, weights));
    return { score: doubleAt(gain, 0), value: { candidate, weights } };
  }, bits);
  // A truncated negative binomial number of tries is at least one.
  if (best === null) throw notATrial();
  return { ...best.value, score: best.score };
}

function notATrial(): LetheError {
  return new LetheError("internal.invariant", "a choice among plans made no try", {
    fix: "report this: Lethe found one of its own plans broken",
  });
}
