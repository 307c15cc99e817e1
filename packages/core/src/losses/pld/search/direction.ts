import type { PlannedStep } from "../law/planned-step.ts";
import type { Repeated } from "../tilt/saddle.ts";
import type { TiltPlan } from "../tilt/tilt-plan.ts";
import type { End } from "../transform/bracket-end.ts";
import type { ComposedLaw } from "../transform/composed-law.ts";
import type { GridSteps } from "../transform/grid-steps.ts";
import { composeByJumps } from "./jump-components.ts";

export type Side = "forward" | "mirrored";

/** δ between two bounds. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/** One direction of a composition, tilted at one place: bounds of δ at every ε ≥ 0, close ones near `plan.epsilon`. */
export interface TiltedDirection {
  readonly plan: TiltPlan;
  delta(epsilon: number): Interval;
  readonly size: number;
}

/** The facts about a direction that need no grid. */
export interface DirectionFacts {
  readonly side: Side;
  readonly repeated: readonly Repeated[];
  /** An upper bound of the finite losses of the composition; +∞ where they are not bounded. */
  readonly maxLoss: number;
}

export function directionFacts(steps: readonly PlannedStep[], side: Side): DirectionFacts {
  let maxLoss = 0;
  for (const { counted, count } of steps) {
    const one = side === "forward" ? counted.pair.maxLoss : counted.pair.maxReverseLoss;
    maxLoss += one === 0 ? 0 : count * one;
  }
  return {
    side,
    repeated: steps.map((step) => ({ law: step[side], count: step.count })),
    maxLoss: maxLoss * (1 + Math.sign(maxLoss) * 4e-16 * (steps.length + 2)),
  };
}

/** A mass of infinite loss, and how often it is met. */
interface CountedMass {
  readonly infinite: number;
  readonly count: number;
}

/** 1 − Π (1 − mass)^count between two bounds: a logarithm, a product and a sum are rounded for each mass, and the whole is off by no larger factor than their sum. */
function infinitePart(masses: readonly CountedMass[]): Interval {
  let log = 0;
  for (const { infinite, count } of masses)
    if (infinite > 0) log += count * Math.log1p(-Math.min(1, infinite));
  if (log === 0) return { lower: 0, upper: 0 };
  const about = -Math.expm1(log);
  const rounding = masses.length * 2 * Number.EPSILON;
  return { lower: about * (1 - 1e-14 - rounding), upper: Math.min(1, about * (1 + 1e-15 + rounding)) };
}

/**
 * The finite and the infinite part of δ for both ends, with every error charged. Null where the window would hold too many points.
 * Without `lower`, the lower end is 0: half the work.
 */
export function tiltDirection(
  facts: DirectionFacts,
  grid: GridSteps,
  plan: TiltPlan,
  lost: number,
  margin: number,
  withLower: boolean,
): TiltedDirection | null {
  const { side, maxLoss } = facts;
  const upperLaws = grid.steps.map(({ step, count }) => ({ law: step[side]().upper(), count }));
  const lowerLaws = (withLower ? grid.steps : []).map(({ step, count }) => ({
    law: step[side]().lower(),
    count,
  }));
  const compose = (laws: typeof upperLaws, end: End): ComposedLaw | null =>
    laws.length === 0 ? { size: 0, finitePart: () => 0 } : composeByJumps(laws, end, plan, lost, margin);
  const upper = compose(upperLaws, "upper");
  const lower = compose(lowerLaws, "lower");
  if (upper === null || lower === null) return null;
  let [massError, lossError] = [0, 0];
  for (const { step, count } of grid.steps) {
    massError += count * step.massError;
    lossError += count * step.lossError;
  }
  const growth = Math.exp(Math.min(700, massError));
  const partOf = (laws: typeof upperLaws): Interval =>
    infinitePart(laws.map(({ law, count }) => ({ infinite: law.infinite, count })));
  const infiniteUpper = partOf(upperLaws).upper;
  const infiniteLower = partOf(lowerLaws).lower;
  const delta = (epsilon: number): Interval => {
    const finite = epsilon >= maxLoss ? 0 : growth * upper.finitePart(epsilon - lossError);
    const least = epsilon >= maxLoss ? 0 : lower.finitePart(epsilon + lossError) / growth;
    const [low, high] = [infiniteLower + least * (1 - 1e-15), (infiniteUpper + finite) * (1 + 1e-15)];
    // An overflow far from the tilt proves nothing.
    return { lower: low > 0 ? Math.min(1, low) : 0, upper: high >= 0 ? Math.min(1, high) : 1 };
  };
  return { plan, delta, size: Math.max(upper.size, lower.size) };
}

/** The part of δ that no ε takes away, an upper bound. */
export function infiniteOf(steps: readonly PlannedStep[], { side }: DirectionFacts): number {
  return infinitePart(
    steps.map(({ counted: { pair }, count }) => ({
      infinite: side === "forward" ? pair.infiniteP : pair.infiniteQ,
      count,
    })),
  ).upper;
}
