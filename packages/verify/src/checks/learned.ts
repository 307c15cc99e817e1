import { parseRational, type Rational } from "@lethe/core";
import type { Noise } from "@lethe/core/mechanisms";
import { compare, divide, elementAt } from "@lethe/core/numeric";
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
      amiss.push(`${stage.name} states a smaller sensitivity than its cells have`);
    if (stage.noise.mechanism === "constant@1") amiss.push(`${stage.name} is counted without noise`);
    if (!stage.ends.every((end, at) => at === 0 || end > elementAt(stage.ends, at - 1)))
      amiss.push(`the ends of ${stage.name} do not increase`);
    const [lo, hi] = deriveBounds(stage);
    if (lo !== stage.bounds[0] || hi !== stage.bounds[1])
      amiss.push(`the bounds of ${stage.name} are not those of its noisy counts`);
  }
  const drawn = [...plan.measurements, ...(plan.trees ?? [])];
  const charges = new Map(learned.nominal.map((each) => [each.name, each]));
  const isCharged = charges.size === learned.nominal.length && drawn.every(({ name }) => charges.has(name));
  if (!isCharged || drawn.length !== charges.size) amiss.push("there is noise that nothing was charged for");
  for (const measured of drawn) {
    const charged = charges.get(measured.name);
    if (charged && !isWithin(measured, charged))
      amiss.push(`${measured.name} costs more than was charged for it`);
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
  const [less, more] = [drawn.noise, charged.noise];
  if (less.mechanism === "constant@1" && more.mechanism === "constant@1")
    return drawn.l1 === "0" && drawn.l2Squared === "0";
  if (less.mechanism === "discrete-laplace@1" && more.mechanism === "discrete-laplace@1")
    return charged.l1 === "1" && compare(share(drawn.l1, less.scale), share(charged.l1, more.scale)) <= 0;
  if (less.mechanism !== "rounded-gaussian@1" || more.mechanism !== "rounded-gaussian@1") return false;
  const squared = (l2Squared: string, sigma: string): Rational =>
    divide(share(l2Squared, sigma), parseRational(sigma));
  const isLess = compare(squared(drawn.l2Squared, less.sigma), squared(charged.l2Squared, more.sigma)) <= 0;
  return BigInt(charged.l2Squared) > 1n && isLess;
}

function share(sensitivity: string, scale: string): Rational {
  return divide(parseRational(sensitivity), parseRational(scale));
}
