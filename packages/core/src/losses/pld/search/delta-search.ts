import { doubleAt } from "../../../numeric/elements/element-at.ts";
import type { Aim } from "../../measures/aim.ts";
import { careFor, spareFor } from "../tilt/leakage.ts";
import { planAt } from "../tilt/plan-at.ts";
import { saddleForEpsilon } from "../tilt/saddle.ts";
import { attemptsFor, mostAttempts } from "./attempts.ts";
import type { DirectionFacts, Interval } from "./direction.ts";
import { type GridWork, oneAnswer } from "./grid-work.ts";

/** δ(ε) of one direction, refined until it is as narrow as `aim` wants ε; no further where it is surely below `enough`. */
export function deltaOfDirection(
  work: GridWork,
  facts: DirectionFacts,
  epsilon: number,
  aim: Aim,
  enough: number,
): Interval {
  const accuracy = aim.sought(epsilon);
  const spare = spareFor(aim.sought(1), work.hasLattice);
  const rough = roughLogDelta(facts, epsilon);
  let plan = planAt(facts.repeated, epsilon, { logDelta: rough, lost: spare * Math.exp(rough) });
  let pitch = work.pitchFor(facts, plan, accuracy);
  let best: Interval = { lower: 0, upper: 1 };
  let last = Number.POSITIVE_INFINITY;
  const care = careFor(accuracy, plan.tilt, pitch === null);
  let lost = care * Math.exp(plan.logDelta);
  const request = { plan, margin: oneAnswer, withLower: false };
  const look =
    enough > 0 && plan.logDelta < Math.log(enough) ? work.coarser(pitch, facts, plan, accuracy) : null;
  if (look !== null) {
    const upper = work
      .tilt(facts, { ...request, pitch: look, lost: Math.max(lost, 1e-3 * enough) })
      ?.delta(epsilon).upper;
    if (upper !== undefined && upper <= enough) return { lower: 0, upper };
  }
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const tilted = work.tilt(facts, { plan, pitch, lost, margin: oneAnswer });
    if (tilted === null) {
      pitch = work.coarser(pitch, facts, plan, accuracy);
      continue;
    }
    const found = tilted.delta(epsilon);
    best = { lower: Math.max(best.lower, found.lower), upper: Math.min(best.upper, found.upper) };
    const step = Math.max(1e-3, accuracy);
    const slope = Math.max(0, (found.upper - tilted.delta(epsilon + step).upper) / step);
    const width = best.upper - best.lower;
    const most = Math.max(
      Math.min(slope * accuracy, relativeWidth * best.upper),
      1e-3 * accuracy * best.upper,
    );
    if (!(width > most) || best.upper <= enough) break;
    // A guess that was too large let the windows lose more than δ itself; one that shows nothing is divided on.
    const less = care * Math.max(best.lower, 1e-3 * best.upper);
    if (less < 0.1 * lost) {
      lost = less;
      const delta = lost / care;
      plan = planAt(facts.repeated, epsilon, { logDelta: Math.log(delta), lost: spare * delta });
      continue;
    }
    if (best.lower === 0 || pitch === null) break;
    if (attempt >= attemptsFor(tilted.size) || width > 0.85 * last) break;
    last = width;
    pitch = work.aligned(pitch * Math.max(0.1, 0.9 * Math.sqrt(most / width)));
  }
  return best;
}

/** A guess of ln δ(ε), the lesser of what the saddle point and what a single step say. */
function roughLogDelta({ repeated }: DirectionFacts, epsilon: number): number {
  const whole = saddleForEpsilon(repeated, epsilon).logDelta;
  let single = 0;
  for (const { law, count } of repeated) {
    for (let i = law.losses.length - 1; i >= 0 && doubleAt(law.losses, i) > epsilon; i--) {
      single -= count * Math.exp(doubleAt(law.logMasses, i)) * Math.expm1(epsilon - doubleAt(law.losses, i));
    }
  }
  return single > 0 ? Math.min(whole, Math.log(single)) : whole;
}

/** A δ is known at least that well, where it can be. */
const relativeWidth = 1e-3;
