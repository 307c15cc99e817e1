import type { Aim } from "../../measures/aim.ts";
import { careFor, spareFor } from "../tilt/leakage.ts";
import { belowCap, capFor, type Needs, planAt, servesWhole } from "../tilt/plan-at.ts";
import { saddleForDelta } from "../tilt/saddle.ts";
import { planOfSaddle, type TiltPlan } from "../tilt/tilt-plan.ts";
import { attemptsFor, mostAttempts } from "./attempts.ts";
import type { DirectionFacts, Interval, TiltedDirection } from "./direction.ts";
import { type GridWork, oneAnswer } from "./grid-work.ts";
import { greatestBelow, leastWhere } from "./monotone-search.ts";

const mostRetilts = 5;
const large = 1 << 18;
/** An interval so many times wider than wanted is looked at under other cuts before a finer grid. */
const hopeless = 2;
/** A coarse look is so many times wider than what is sought. */
const roughly = 64;

/** Returns a first plan, near where ε(δ) of a direction may lie. `infinite` is the part of δ that no ε takes away. */
export function planForDelta(
  work: GridWork,
  facts: DirectionFacts,
  delta: number,
  infinite: number,
  aim: Aim,
): TiltPlan {
  const finite = Math.max(delta - infinite, 1e-3 * delta);
  const needs = needsOf(work, finite, aim);
  const cap = capFor(facts.repeated, needs.lost);
  const capped = belowCap(facts.repeated, cap);
  const saddle = saddleForDelta(capped, needs.logDelta);
  const start = Math.max(0, saddle.mean);
  const whole = { ...planOfSaddle(capped, saddle, start), cap };
  if (servesWhole(capped, whole, needs)) return whole;
  const first = planAt(facts.repeated, start, needs);
  if (first.cut === Number.POSITIVE_INFINITY) return whole;
  // The saddle of rare jumps is far off: the plans' own guesses of δ are bisected.
  let [low, high] = [0, 2 * first.epsilon];
  let best = first;
  for (let i = 0; i < 12 && high - low > 0.05 * high; i++) {
    const middle = low === 0 ? high / 2 : Math.sqrt(low * high);
    best = planAt(facts.repeated, middle, needs);
    if (best.logDelta > needs.logDelta) low = middle;
    else high = middle;
  }
  return best;
}

function needsOf(work: GridWork, delta: number, aim: Aim): Needs {
  return { logDelta: Math.log(delta), lost: delta * spareFor(aim.sought(1), work.hasLattice) };
}

/** ε(δ) of one direction; not refined where it is at most `enough`. */
export function epsilonOfDirection(
  work: GridWork,
  facts: DirectionFacts,
  guess: TiltPlan,
  delta: number,
  infinite: number,
  aim: Aim,
  enough: number,
): Interval {
  if (infinite * (1 - 1e-9) > delta)
    return { lower: Number.POSITIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
  let plan = guess;
  let accuracy = aim.sought(plan.epsilon);
  let pitch = work.pitchFor(facts, plan, accuracy);
  let best: Interval = { lower: 0, upper: infinite > 0 ? Number.POSITIVE_INFINITY : facts.maxLoss };
  let retilts = 0;
  let strict = false;
  let last = Number.POSITIVE_INFINITY;
  const finite = delta - infinite;
  const aimed = Math.max(finite, 1e-3 * delta);
  for (let attempt = 0; attempt < mostAttempts + 8; attempt++) {
    const care = careFor(accuracy, plan.tilt, pitch === null);
    const tilted = work.tilt(facts, { plan, pitch, lost: care * aimed, margin: oneAnswer });
    if (tilted === null) {
      pitch = work.coarser(pitch, facts, plan, accuracy);
      continue;
    }
    const found = epsilonsOf(tilted, facts, delta, 1e-2 * accuracy);
    best = { lower: Math.max(best.lower, found.lower), upper: Math.min(best.upper, found.upper) };
    const width = best.upper - best.lower;
    accuracy = aim.sought(Math.min(best.upper, Math.max(best.lower, plan.epsilon)));
    if (!(width > accuracy) || best.upper <= enough) break;
    const far = Math.abs(best.upper - plan.epsilon) > oneAnswer * plan.deviation;
    // A tilt between two humps: its mean says nothing of where the answer lies.
    const lost = width > hopeless * accuracy && plan.cut === Number.POSITIVE_INFINITY && pitch !== null;
    if ((far || (lost && !strict)) && retilts < mostRetilts && best.upper < Number.POSITIVE_INFINITY) {
      strict ||= lost;
      const next = planAt(facts.repeated, best.upper, { ...needsOf(work, aimed, aim), strict });
      if (next.epsilon !== plan.epsilon && (far || next.cut < Number.POSITIVE_INFINITY)) {
        retilts++;
        plan = next;
        pitch = work.pitchFor(facts, plan, accuracy);
        last = Number.POSITIVE_INFINITY;
        continue;
      }
    }
    if (pitch === null || !(width < Number.POSITIVE_INFINITY)) break;
    // What was asked for is reached, and more would be long work.
    if (tilted.size >= large && width <= aim.asked(best.upper)) break;
    if (attempt - retilts >= attemptsFor(tilted.size) || width > 0.92 * last) break;
    last = width;
    pitch = work.aligned(pitch * Math.max(0.1, 0.8 * Math.sqrt(accuracy / width)));
  }
  return best;
}

/** Whether a coarse look proves that this direction's ε(δ), taken to be about `about`, is at most `limit`. */
export function staysBelow(
  work: GridWork,
  facts: DirectionFacts,
  guess: TiltPlan,
  delta: number,
  infinite: number,
  about: number,
  limit: number,
  aim: Aim,
): boolean {
  if (facts.maxLoss <= limit && infinite <= delta) return true;
  if (about > limit) return false;
  const accuracy = aim.sought(limit);
  const gap = Math.max(accuracy, 0.5 * (limit - about));
  const looked = coarseLook(work, facts, guess, delta, {
    width: Math.min(gap, roughly * accuracy),
    accuracy,
  });
  return looked !== null && looked.delta(limit).upper <= delta;
}

/** Returns about ε(δ) of one direction, by a coarse look; the plan's own guess where none is quick. Nothing is claimed of it. */
export function roughEpsilon(
  work: GridWork,
  facts: DirectionFacts,
  guess: TiltPlan,
  delta: number,
  aim: Aim,
): number {
  const accuracy = aim.sought(guess.epsilon);
  const looked = coarseLook(work, facts, guess, delta, { width: roughly * accuracy, accuracy });
  return looked === null ? guess.epsilon : upperEnd(looked, facts, delta);
}

/** The upper end of δ of one direction on a coarse grid, of about that width in ε. Null where a lattice is hardly finer, or the window too long. */
function coarseLook(
  work: GridWork,
  facts: DirectionFacts,
  plan: TiltPlan,
  delta: number,
  { width, accuracy }: { readonly width: number; readonly accuracy: number },
): TiltedDirection | null {
  const pitch = work.coarsePitchFor(facts, plan, width, accuracy);
  if (pitch === null) return null;
  const lost = careFor(accuracy, plan.tilt, false) * delta;
  return work.tilt(facts, { plan, pitch, lost, margin: oneAnswer, withLower: false });
}

function epsilonsOf(
  tilted: TiltedDirection,
  facts: DirectionFacts,
  delta: number,
  firstStep: number,
): Interval {
  const upper = upperEnd(tilted, facts, delta);
  const end = upper < Number.POSITIVE_INFINITY ? upper : farAbove(tilted);
  const lower = greatestBelow((at) => tilted.delta(at).lower > delta, end, firstStep);
  return { lower, upper };
}

function upperEnd(tilted: TiltedDirection, { maxLoss }: DirectionFacts, delta: number): number {
  return leastWhere((at) => tilted.delta(at).upper <= delta, farAbove(tilted), maxLoss);
}

function farAbove({ plan: { epsilon, deviation } }: TiltedDirection): number {
  return Math.max(0, epsilon) + 8 * deviation + 1e-9;
}
