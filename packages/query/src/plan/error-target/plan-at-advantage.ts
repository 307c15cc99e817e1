import { type Rational, toDouble, toText } from "@lethe/core";
import { odds } from "@lethe/core/accounting";
import { refuse } from "../../refusals/refuse.ts";
import type { Plan } from "../plan.ts";
import { epsilonAt, lastPlace } from "./four-digits.ts";

/** An advantage that was stated instead of a price, and the price that keeps to it. */
export interface ReachedAdvantage {
  /** The most that a test of membership may gain over guessing, as it was stated: an exact number. */
  readonly stated: string;
  /** The most that one gains on what the plan releases: never told too small. */
  readonly reached: number;
  /** The ε that it took. */
  readonly epsilon: string;
}

/**
 * Plans a question at the greatest ε of four significant digits at which no test of membership gains more than `advantage` over guessing: by the odds of
 * the plan's own event, which are those of its trade-off curve. The advantage grows with ε, so that places are halved; whatever place is found keeps to it, and the
 * next one does not. A function of what `planAt` plans and of `advantage`. Errors: query.option where no ε keeps to it, since δ alone gives more.
 */
export function planAtAdvantage(
  advantage: Rational,
  planAt: (epsilon: Rational) => Plan,
): { readonly plan: Plan; readonly advantage: ReachedAdvantage } {
  const most = toDouble(advantage, "down");
  const tried = (place: number): { readonly plan: Plan; readonly reached: number } => {
    const plan = planAt(epsilonAt(place));
    return { plan, reached: odds(plan.event).advantage };
  };
  let [kept, place, exceeded] = [tried(0), 0, lastPlace + 1];
  if (!(kept.reached <= most))
    refuse(
      "query.option",
      `no epsilon keeps the advantage of a test of membership to ${Number(most.toPrecision(6))}: delta alone gives ${Number(kept.reached.toPrecision(3))}`,
      "state a larger advantage, or a smaller delta",
    );
  // What reveals nothing at the least ε has no noise, and costs nothing at any.
  while (kept.reached > 0 && exceeded - place > 1) {
    const middle = Math.floor((place + exceeded) / 2);
    const next = tried(middle);
    if (next.reached <= most) [kept, place] = [next, middle];
    else exceeded = middle;
  }
  const epsilon = toText(epsilonAt(place));
  return { plan: kept.plan, advantage: { stated: toText(advantage), reached: kept.reached, epsilon } };
}
