import type { Adjacency, Event } from "@lethe/core";
import { type CountedStep, composedLaw, profileOf } from "./loss-law.ts";
import { gaussianStep } from "./noise-steps.ts";
import { between, exceededWith } from "./normal.ts";
import { type DerivedOdds, falseAlarms, oddsOfProfile, type Profile } from "./profile-odds.ts";
import { stepsOfEvent } from "./steps-of-event.ts";

/** The pitches that losses are cut into. */
const cells = 1200;
/** The pitch in deviations of one of many steps: cutting adds at most pitch²/4 to the square of each loss. */
const ofDeviation = 0.1;
/** The same at most, where there would be too many cells otherwise. */
const mostOfDeviation = 0.2;
const mostCells = 8000;
/** e^loss stays a double, and beyond it next to nothing is hidden. */
const mostReach = 300;
/** Deviations of a sum of losses beyond which it has no mass that matters. */
const deviations = 9;
/** Where losses are bounded μ is decided by the rarest tests, and where they are not there is none. */
const negligible = { bounded: 1e-60, unbounded: 1e-14 } as const;

/**
 * The odds of what an event runs; null where this version does not know all of it. Gaussians alone have closed forms. Else the law of the losses of all steps together is computed on a grid,
 * in both directions, by sums of positive terms: an upper bound, which lies above the truth by thousandths of it. ./odds.proof.md
 */
export function eventOdds(event: Event, adjacency: Adjacency): DerivedOdds | null {
  const steps = stepsOfEvent(event, adjacency);
  if (steps === null) return null;
  const { muSquared, others } = steps;
  const mu = Math.sqrt(muSquared);
  if (others.length === 0) return gaussianOdds(mu);
  const rest = profileOfSteps(others);
  if (rest === null) return null;
  if (mu === 0) return oddsOfProfile(rest);
  const all = profileOfSteps([...others, { step: gaussianStep(mu), times: 1 }]);
  if (all === null) return null;
  const restMu = oddsOfProfile(rest).mu;
  return { ...oddsOfProfile(all), mu: restMu === null ? null : Math.hypot(mu, restMu) };
}

/** The tests of N(μ, 1) against N(0, 1). */
export function gaussianOdds(mu: number): DerivedOdds {
  const threshold = exceededWith(falseAlarms);
  return {
    advantage: between(-mu / 2, mu / 2),
    mu,
    truePositives: between(threshold - mu, Number.POSITIVE_INFINITY),
  };
}

function profileOfSteps(given: readonly CountedStep[]): Profile | null {
  const steps = given.filter(({ step, times }) => times > 0 && (step.reach > 0 || step.pure === null));
  const times = steps.reduce((sum, step) => sum + step.times, 0);
  const reach = steps.reduce((sum, { step, times: count }) => sum + step.reach * count, 0);
  const square = steps.reduce((sum, { step, times: count }) => sum + step.square * count, 0);
  const likely = square / 2 + deviations * Math.sqrt(square);
  const span = Math.min(reach, likely);
  const widest = steps.reduce((most, { step }) => Math.max(most, step.reach), span);
  if (!(widest <= mostReach)) return null;
  const pitch = pitchOf(span, Math.sqrt(square / times));
  if (!(widest / pitch <= 2 * mostCells)) return null;
  const directions = steps.every(({ step }) => step.symmetric)
    ? (["coming"] as const)
    : (["coming", "going"] as const);
  const bounded = steps.every(({ step }) => step.pure !== null);
  const rare = bounded ? negligible.bounded : negligible.unbounded;
  const deltas = directions.map((direction) =>
    profileOf(composedLaw(steps, { pitch, direction, negligible: rare }), pitch),
  );
  const pure = bounded
    ? steps.reduce((sum, { step, times: count }) => sum + (step.pure ?? 0) * count, 0)
    : null;
  return { pitch, directions: deltas, pure };
}

/** The pitch that divides `span`, given the deviation of one step; NaN where that would take too many cells. */
function pitchOf(span: number, deviation: number): number {
  if (span === 0) return 1;
  const finest = Math.min(span / cells, ofDeviation * deviation);
  const count = Math.min(mostCells, Math.ceil(span / finest));
  return span / count <= mostOfDeviation * deviation ? span / count : Number.NaN;
}
