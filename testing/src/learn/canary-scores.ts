import { type BitSource, toDouble } from "@lethe/core";
import { seal } from "@lethe/core/mechanisms";
import { doubleAt, parseRational } from "@lethe/core/numeric";
import { trainingDrawsFrom } from "@lethe/core/tape";
import { type ClippedGradients, type PrivatePlan, train } from "@lethe/learn/gradients";

/**
 * Canaries that each have a weight of their own: a unit's gradient is the whole clip along it, at any weights, or nothing where it is not in. So every
 * coordinate is a run of its own of a training of one weight and one unit.
 */
function canaries(count: number, isIn: boolean): ClippedGradients {
  return {
    parameters: count,
    units: count,
    sum(_weights, batch) {
      const sums = new Float64Array(count);
      if (isIn) for (const place of batch) sums[place] = 2 ** 20;
      return seal({ sums, unclipped: batch.length });
    },
  };
}

/**
 * Trains, sees every step (white box), and scores each canary by the logarithm of the likelihood ratio of what its weight did, at the noise and rate
 * that the plan says. A plan of as many parameters as canaries, Poisson samples and clip 1.
 */
export async function canaryScores(
  plan: PrivatePlan,
  isIn: boolean,
  bits: BitSource,
  claimed: PrivatePlan = plan,
): Promise<Float64Array> {
  const count = plan.model.parameters;
  const rate = claimed.sampler.kind === "poisson" ? toDouble(parseRational(claimed.sampler.rate), "up") : 1;
  const mu = 1 / toDouble(parseRational(claimed.noiseMultiplier), "up");
  const divisor = toDouble(parseRational(plan.divisor), "up");
  const scores = new Float64Array(count);
  let before = new Float64Array(count);
  const options = {
    ...{ charge: "canaries", start: before, keep: () => true },
    optimizer: { kind: "sgd", rate: 1 } as const,
  };
  for await (const { weights } of train(plan, canaries(count, isIn), trainingDrawsFrom(bits), options)) {
    for (let i = 0; i < count; i++) {
      const x = (doubleAt(before, i) - doubleAt(weights, i)) * divisor * mu;
      scores[i] = doubleAt(scores, i) + Math.log(1 - rate + rate * Math.exp(mu * x - (mu * mu) / 2));
    }
    before = Float64Array.from(weights);
  }
  return scores;
}
