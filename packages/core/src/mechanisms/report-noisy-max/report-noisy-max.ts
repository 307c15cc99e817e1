import { invalidParameter } from "../../errors/lethe-error.ts";
import type { EventOf } from "../../events/event.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import { divide, one, type Rational, toText } from "../../numeric/rational.ts";
import { discreteLaplace } from "../../samplers/discrete-laplace.ts";
import { exponential } from "../exponential/exponential.ts";
import { permuteAndFlip } from "../permute-and-flip/permute-and-flip.ts";
import { epsilonOf, gapsBelowBest, rateFor, type ScoreSensitivity, scoreRange } from "../scores/scores.ts";
import type { Selection } from "../scores/selection.ts";

/**
 * The noise, of scale 1/rate, that is added to every score before the largest is taken. Gumbel: the exponential mechanism's law.
 * Exponential: permute-and-flip's law. Laplace: integer noise, ties to the least index.
 */
export type MaxNoise = "gumbel" | "exponential" | "laplace";

export type ReportNoisyMax = Selection<"report-noisy-max@1", EventOf<"bounded-range"> | EventOf<"pure">> & {
  readonly parameters: { readonly noise: MaxNoise };
};

/**
 * The index of the largest noisy score; the noisy score itself is not released. Loss: ε = rate·range for every noise here,
 * ties of the discrete one included; with Gumbel noise even bounded range. The two continuous noises are drawn as the
 * finite laws that they give. Proof: ./report-noisy-max.proof.md
 *
 * Source: Dwork & Roth 2014, Claim 3.9; Durfee & Rogers 2019, Lemma 4.2; Ding et al. 2021; McKenna & Sheldon 2020
 * Direction: exact
 *
 * Errors: parameter.invalid unless rate > 0, range ≥ 1 and the noise is one of the three.
 */
export function reportNoisyMax({
  rate,
  range,
  noise,
}: {
  readonly rate: Rational;
  readonly range: bigint;
  readonly noise: MaxNoise;
}): ReportNoisyMax {
  const epsilon = epsilonOf(rate, range);
  const pure: EventOf<"pure"> = {
    kind: "pure",
    version: 1,
    epsilon: toText(epsilon),
    of: "report-noisy-max",
  };
  const parameters = {
    mechanism: "report-noisy-max@1",
    rate: toText(rate),
    range: range.toString(),
    noise,
  } as const;
  switch (noise) {
    case "gumbel": {
      const { event, choose } = exponential({ rate, range });
      return { parameters, epsilon, choose, event: { ...event, of: "report-noisy-max" } };
    }
    case "exponential": {
      const { choose } = permuteAndFlip({ rate, range });
      return { parameters, epsilon, choose, event: pure };
    }
    case "laplace": {
      const sampler = discreteLaplace(divide(one, rate));
      return {
        parameters,
        epsilon,
        event: pure,
        choose: (scores, bits) =>
          firstLargest(gapsBelowBest(scores).map((gap) => sampler.sample(bits) - gap)),
      };
    }
    default:
      throw invalidParameter("noise", noise, '"gumbel", "exponential" or "laplace"');
  }
}

/**
 * Report-noisy-max that costs exactly ε; the noise is exponential unless stated, which never does worse than Gumbel.
 * Errors: parameter.invalid unless ε > 0 and sensitivity ≥ 1.
 * @example reportNoisyMaxFor({ epsilon: ratio(2n), sensitivity: 1n }).choose([5n, 90n, 7n], bits) // 1, surely: the largest
 */
export function reportNoisyMaxFor({
  epsilon,
  noise = "exponential",
  ...sensitivity
}: ScoreSensitivity & { readonly epsilon: Rational; readonly noise?: MaxNoise }): ReportNoisyMax {
  const range = scoreRange(sensitivity);
  return reportNoisyMax({ rate: rateFor(epsilon, range), range, noise });
}

/** The least index of the largest: ties are broken without looking at the data. */
export function firstLargest(values: readonly bigint[]): number {
  let best = 0;
  for (let at = 1; at < values.length; at++) if (elementAt(values, at) > elementAt(values, best)) best = at;
  return best;
}
