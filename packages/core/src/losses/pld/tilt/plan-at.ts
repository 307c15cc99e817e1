import { doubleAt } from "../../../numeric/elements/element-at.ts";
import { peakedness, splitStepLaw } from "../law/step-law.ts";
import { jumpPlans } from "./jump-plan.ts";
import { type Repeated, saddleForEpsilon } from "./saddle.ts";
import { planOfSaddle, type TiltPlan } from "./tilt-plan.ts";

/** A tilted law whose squared skewness and excess kurtosis are within is taken for one hump. */
const oneHump = 0.3;

/** The δ that a plan is made for, and the part of it that may be lost. */
export interface Needs {
  readonly logDelta: number;
  readonly lost: number;
  /** One tilt is taken only of a law that is about normal under it: where it did not do. */
  readonly strict?: boolean;
}

/** One tilt where that serves, else the best of many cuts. */
export function planAt(steps: readonly Repeated[], epsilon: number, needs: Needs): TiltPlan {
  const cap = capFor(steps, needs.lost);
  const capped = belowCap(steps, cap);
  const whole = { ...planOfSaddle(capped, saddleForEpsilon(capped, epsilon), epsilon), cap };
  return servesWhole(capped, whole, needs) ? whole : bestOf(capped, epsilon, whole);
}

/** Whether a tilted law is about normal, or has enough at ε for its roundings, of which each copy has a share. */
export function servesWhole(
  steps: readonly Repeated[],
  plan: TiltPlan,
  { logDelta, strict = false }: Needs,
): boolean {
  const copies = steps.reduce((sum, { count }) => sum + count, 0);
  const depth = Math.max(2, 15 - Math.log(copies));
  return (!strict && worstExponent(plan) - logDelta < depth) || peakedness(steps, plan.tilt) < oneHump;
}

/** A loss above which, over all copies, a law has less than a quarter of `lost`: a tilt would make a hump of it. */
export function capFor(steps: readonly Repeated[], lost: number): number {
  let cap = Number.NEGATIVE_INFINITY;
  for (const { law, count } of steps) {
    const { losses, logMasses } = law;
    const most = lost / (4 * count * steps.length);
    let left = 0;
    let at = losses.length;
    while (at > 1 && left + Math.exp(doubleAt(logMasses, at - 1)) <= most)
      left += Math.exp(doubleAt(logMasses, --at));
    cap = Math.max(
      cap,
      at === losses.length ? Number.POSITIVE_INFINITY : (doubleAt(losses, at) + doubleAt(losses, at - 1)) / 2,
    );
  }
  return cap;
}

export function belowCap(steps: readonly Repeated[], cap: number): readonly Repeated[] {
  if (cap === Number.POSITIVE_INFINITY) return steps;
  return steps.map(({ law, count }) => ({ law: splitStepLaw(law, cap).below, count }));
}

/** ln of how much larger than δ(ε) a plan's tilted masses may be, all of which round. */
function worstExponent({ components, epsilon }: TiltPlan): number {
  return Math.max(...components.map(({ saddle, logWays }) => logWays + saddle.log - saddle.tilt * epsilon));
}

/** A component is as much work as the whole: each must be worth that much of it, ln. */
const work = 1.5;

function bestOf(steps: readonly Repeated[], epsilon: number, whole: TiltPlan): TiltPlan {
  let best = whole;
  const cost = (plan: TiltPlan): number => worstExponent(plan) + work * plan.components.length;
  let least = cost(whole);
  for (const split of jumpPlans(steps, epsilon)) {
    const plan = { ...split, cap: whole.cap };
    const own = cost(plan);
    if (own < least) [best, least] = [plan, own];
  }
  return best;
}
