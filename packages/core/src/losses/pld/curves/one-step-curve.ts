import { addAt, doubleAt } from "../../../numeric/elements/element-at.ts";
import type { DominatingPair, LossCells } from "../pairs/index.ts";
import type { Interval } from "../search/direction.ts";
import { greatestBelow, leastWhere } from "../search/monotone-search.ts";

const unit = Number.EPSILON / 2;
/** The relative error that every emission promises for its masses; see DominatingPair.emit. */
const emittedMassError = 1e-12;
/** An emission may leave out that much of δ, or what no double tells apart. */
const tailShare = 1e-16;
const leastTail = 1e-290;
const [below, between, above] = [0, 1, 2];

interface BothEnds {
  delta(epsilon: number): Interval;
  epsilon(delta: number): Interval;
}

/** δ and ε of one step, without a grid. */
export interface OneStep extends BothEnds {
  /** δ at a modest price for each of many ε: its lower end is not sought at each. */
  profile(epsilon: number): Interval;
}

/**
 * δ(ε) = P[L > ε] − e^ε·Q[L > ε] of one pair, and the same of its mirror: an emission that is cut at ±ε alone gives the four masses to
 * 1e-12 (pld.proof.md, "One step").
 * Source: Zhu, Dong & Wang 2022 (arXiv 2106.08567), Def. 3
 * Direction: upper
 */
export function oneStep(pair: DominatingPair): OneStep {
  const own = boundsOfPair(pair);
  if (pair.tight) return { ...own, profile: own.delta };
  // A lower end is the greatest of those of pairs that neighbours reach.
  const reached = (pair.reached ?? []).map(boundsOfPair);
  const near = (epsilon: number): readonly BothEnds[] =>
    epsilon < Number.POSITIVE_INFINITY ? (pair.reachedAt?.(epsilon) ?? []).map(boundsOfPair) : [];
  const attained = (upper: number, lowers: readonly Interval[]): Interval => ({
    lower: Math.min(upper, Math.max(0, ...lowers.map(({ lower }) => lower))),
    upper,
  });
  const delta = (epsilon: number, steps: readonly BothEnds[]): Interval =>
    attained(
      own.delta(epsilon).upper,
      steps.map((step) => step.delta(epsilon)),
    );
  return {
    delta: (epsilon) => delta(epsilon, [...reached, ...near(epsilon)]),
    profile: (epsilon) => delta(epsilon, reached),
    epsilon: (at) => {
      const { upper } = own.epsilon(at);
      return attained(
        upper,
        [...reached, ...near(upper)].map((step) => step.epsilon(at)),
      );
    },
  };
}

/** Returns both ends for the pair itself. */
function boundsOfPair(pair: DominatingPair): BothEnds {
  const infinite = Math.max(pair.infiniteP, pair.infiniteQ);
  const highest = Math.max(pair.maxLoss, pair.maxReverseLoss);
  const pure = infinite === 0 && highest < Number.POSITIVE_INFINITY;
  const epsilon = (target: number): Interval => {
    if (target === 0) {
      if (pure) return { lower: Math.max(0, highest * (1 - 1e-13) - (pair.lossError ?? 0)), upper: highest };
      return { lower: Number.POSITIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
    }
    if (infinite * (1 - 1e-9) > target) {
      return { lower: Number.POSITIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
    }
    const tail = Math.max(leastTail, tailShare * target);
    const limit = infinite > 0 ? Number.POSITIVE_INFINITY : highest;
    const upper = leastWhere((at) => deltaOf(pair, at, tail).upper <= target, 1, limit);
    const end = upper < Number.POSITIVE_INFINITY ? upper : 600;
    const lower = greatestBelow((at) => deltaOf(pair, at, tail).lower > target, end, 1e-12 * (1 + end));
    return { lower: Math.min(lower, upper), upper };
  };
  return { delta: (at) => deltaOf(pair, at, leastTail), epsilon };
}

function deltaOf(pair: DominatingPair, epsilon: number, tail: number): Interval {
  const p = new Float64Array(3);
  const q = new Float64Array(3);
  let count = 0;
  const tails = pair.emit(cutAt(epsilon), tail, (cell, massP, massQ) => {
    addAt(p, cell, massP);
    addAt(q, cell, massQ);
    count++;
  });
  const relative =
    emittedMassError + 2 * (pair.lossError ?? 0) + (2 * count + 64) * unit + 64 * unit * (1 + epsilon);
  const factor = Math.exp(Math.min(700, epsilon));
  // Where e^ε is no double, what is taken off is less than it is: more δ, and no lower end.
  const side = (more: number, less: number, infinite: number, left: number): Interval => ({
    lower: Math.max(
      infinite * (1 - 1e-12),
      epsilon > 700 ? 0 : more * (1 - relative) - factor * less * (1 + relative) - Number.MIN_VALUE,
    ),
    upper:
      Math.max(0, more * (1 + relative) - factor * less * (1 - relative)) +
      (infinite + left) * (1 + 1e-15) +
      Number.MIN_VALUE,
  });
  const forward = side(doubleAt(p, above), doubleAt(q, above), pair.infiniteP, tails.pHigh);
  const mirrored = pair.symmetric
    ? forward
    : side(doubleAt(q, below), doubleAt(p, below), pair.infiniteQ, tails.qLow);
  const exact = epsilon >= Math.max(pair.maxLoss, pair.maxReverseLoss);
  const none = Math.max(pair.infiniteP, pair.infiniteQ);
  if (exact) return { lower: none * (1 - 1e-12), upper: Math.min(1, none) };
  return {
    lower: Math.min(1, Math.max(forward.lower, mirrored.lower)),
    upper: Math.min(1, Math.max(forward.upper, mirrored.upper)),
  };
}

/** Three cells: losses below −ε, from there to ε, and above. */
function cutAt(epsilon: number): LossCells {
  const cell = (loss: number): number => (loss < -epsilon ? below : loss < epsilon ? between : above);
  return {
    edge: (k) => {
      if (k <= below) return Number.NEGATIVE_INFINITY;
      return k === between ? -epsilon : k === above ? epsilon : Number.POSITIVE_INFINITY;
    },
    cell,
    atom: cell,
  };
}
