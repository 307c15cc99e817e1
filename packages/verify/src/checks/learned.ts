import { compare, divide, multiply, type Noise, parseRational, type Rational } from "@lethe/core";
import type { Plan } from "@lethe/query";
import { deriveBounds, deriveStageSensitivity } from "../derive/learned-bounds.ts";
import { passed, type Verdict, verdict } from "./check.ts";

/**
 * Bounds that were learned: the stages' noise is for what one unit can move, the bounds are what the noisy counts say, and no
 * noise of what follows costs more than the event was charged for it.
 */
export function learnedBoundsHold(plan: Plan): Verdict {
  const { learned } = plan;
  if (!learned) return passed("no bounds were learned: all are the policy's or the question's");
  const amiss: string[] = [];
  const derived = deriveStageSensitivity(plan);
  for (const stage of learned.stages) {
    if (BigInt(stage.l1) < derived.l1 || BigInt(stage.l2Squared) < derived.l2Squared)
      amiss.push(`${stage.id} states a smaller sensitivity than its cells have`);
    if (stage.noise.mechanism === "constant@1") amiss.push(`${stage.id} is counted without noise`);
    if (!stage.ends.every((end, at) => at === 0 || end > stage.ends[at - 1]!))
      amiss.push(`the ends of ${stage.id} do not increase`);
    const [lo, hi] = deriveBounds(stage);
    if (lo !== stage.bounds[0] || hi !== stage.bounds[1])
      amiss.push(`the bounds of ${stage.id} are not those of its noisy counts`);
  }
  const drawn = [...plan.measurements, ...(plan.trees ?? [])];
  if (drawn.length !== learned.nominal.length) amiss.push("there is noise that nothing was charged for");
  for (const [at, { id, ...measured }] of drawn.entries()) {
    const charged = learned.nominal[at];
    if (charged && !isWithin(measured, charged)) amiss.push(`${id} costs more than was charged for it`);
  }
  return verdict(
    amiss,
    "the bounds follow from noisy counts that were paid for, and what they made of the noise costs no more than was charged",
  );
}

interface Noised {
  readonly noise: Noise;
  readonly l1: string;
  readonly l2Squared: string;
}

/**
 * Whether noise at its sensitivities costs no more than what was charged at others. Laplace noise is compared by ε, which covers
 * any other of that ε only if it was charged as randomized response, at ℓ1 = 1; a Gaussian by Δ₂²/σ², if charged at ℓ2² > 1,
 * since at 1 the masses of small integers are priced.
 */
function isWithin(drawn: Noised, charged: Noised): boolean {
  if (drawn.noise.mechanism !== charged.noise.mechanism) return false;
  switch (charged.noise.mechanism) {
    case "constant@1":
      return drawn.l1 === "0" && drawn.l2Squared === "0";
    case "discrete-laplace@1":
      return charged.l1 === "1" && compare(ratioOf(drawn), ratioOf(charged)) <= 0;
    case "rounded-gaussian@1":
      return BigInt(charged.l2Squared) > 1n && compare(ratioOf(drawn), ratioOf(charged)) <= 0;
    case "discrete-gaussian@1":
      return false;
  }
}

function ratioOf({ noise, l1, l2Squared }: Noised): Rational {
  if (noise.mechanism === "discrete-laplace@1") return divide(parseRational(l1), parseRational(noise.scale));
  if (noise.mechanism !== "rounded-gaussian@1") throw new RangeError("noise that is no Laplace or Gaussian");
  const sigma = parseRational(noise.sigma);
  return divide(parseRational(l2Squared), multiply(sigma, sigma));
}
