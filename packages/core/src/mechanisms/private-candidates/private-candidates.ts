import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Event, EventOf, TrialCount } from "../../events/event.ts";
import { parseRational } from "../../numeric/rational.ts";
import { type CountSampler, poisson, truncatedNegativeBinomial } from "../../samplers/trial-count.ts";

/** The outcome of one run of the inner mechanism: both parts are its private output. */
export interface Candidate<T> {
  /** The larger, the better. Any double but NaN. */
  readonly score: number;
  readonly value: T;
}

/** Runs a private mechanism a random number of times and keeps the best outcome. */
export interface PrivateCandidates {
  readonly trials: TrialCount;
  readonly event: EventOf<"repeat-and-select">;
  /**
   * The best candidate of a random number of independent runs; the first of those that tie. null where no run was made
   * (Poisson alone). `run` must be the mechanism that the event prices, whole: scores computed on the data without
   * privacy, or a run that looks at earlier ones, void the price. Errors: parameter.invalid for a score that is NaN.
   */
  select<T>(run: (bits: BitSource) => Candidate<T>, bits: BitSource): Candidate<T> | null;
}

/**
 * Repeat-and-select: hyperparameters, thresholds, any choice among outcomes that are private by themselves, at a price that
 * does not grow with the number of tries. `event` is the price of ONE run. The number of runs, and so the time taken, is
 * drawn without the data; it must not be released. Proof: ./private-candidates.proof.md
 *
 * Source: Liu & Talwar 2019; Papernot & Steinke 2022, Alg. 1
 * Direction: exact
 *
 * Errors: parameter.invalid unless −1 < shape ≤ 1000 and 1e-6 ≤ stop < 1, or 0 < mean ≤ 10000.
 * @example privateCandidates({ trials: { law: "negative-binomial", shape: "1", stop: "1/100" }, event }).select(run, bits)
 */
export function privateCandidates({
  trials,
  event,
}: {
  readonly trials: TrialCount;
  readonly event: Event;
}): PrivateCandidates {
  const count = counter(trials);
  return {
    trials,
    event: { kind: "repeat-and-select", version: 1, trials, event },
    select<T>(run: (bits: BitSource) => Candidate<T>, bits: BitSource): Candidate<T> | null {
      const runs = count.sample(bits);
      let best: Candidate<T> | null = null;
      for (let i = 0; i < runs; i++) {
        const candidate = run(bits);
        if (Number.isNaN(candidate.score)) throw invalidParameter("score", "NaN", "a number");
        if (best === null || candidate.score > best.score) best = candidate;
      }
      return best;
    },
  };
}

function counter(trials: TrialCount): CountSampler {
  if (trials.law === "poisson") return poisson({ mean: parseRational(trials.mean, "mean") });
  if (trials.law !== "negative-binomial") {
    throw invalidParameter("law", (trials as { law: unknown }).law, '"negative-binomial" or "poisson"');
  }
  return truncatedNegativeBinomial({
    shape: parseRational(trials.shape, "shape"),
    stop: parseRational(trials.stop, "stop"),
  });
}
