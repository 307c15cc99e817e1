import { elementAt } from "../../../numeric/elements/element-at.ts";
import type { Aim } from "../../measures/aim.ts";
import { type CountedPair, mergePairs } from "../law/counted-pair.ts";
import { deltaOfDirection } from "./delta-search.ts";
import { type DirectionFacts, type Interval, infiniteOf } from "./direction.ts";
import { epsilonOfDirection, planForDelta, roughEpsilon, staysBelow } from "./epsilon-search.ts";
import { GridWork } from "./grid-work.ts";
import { KeptProfile } from "./kept-profile.ts";

/** H_γ(P‖Q) and H_γ(Q‖P) for γ = e^ε ≥ 1, each between bounds. */
export interface ReachedProfiles {
  forward(epsilon: number): Interval;
  mirrored(epsilon: number): Interval;
}

/** The least number of different steps for which both directions are looked at coarsely first, because composing one takes long. */
const manyLaws = 8;

const nothingProven: Interval = { lower: 0, upper: 1 };

function worstOf(parts: readonly Interval[]): Interval {
  return {
    lower: Math.max(0, ...parts.map((part) => part.lower)),
    upper: Math.max(0, ...parts.map((part) => part.upper)),
  };
}

/** A composition of pairs with the work that its answers share: plans, and the last grids. Immutable from outside. */
export class PldComposition {
  private readonly aim: Aim;
  private readonly pairs: readonly CountedPair[];
  private readonly work: GridWork;
  private readonly profiles = new Map<DirectionFacts, KeptProfile>();

  private tightOnly: readonly PldComposition[] | undefined;

  constructor(pairs: readonly CountedPair[], aim: Aim) {
    this.pairs = pairs;
    this.aim = aim;
    this.work = new GridWork(pairs);
  }

  delta(epsilon: number): Interval {
    if (!this.work.countable) return nothingProven;
    let worst: Interval = { lower: 0, upper: 0 };
    for (const facts of this.work.directions) {
      worst = worstOf([worst, deltaOfDirection(this.work, facts, epsilon, this.aim, worst.lower)]);
    }
    const { lower, upper } = worst;
    return { lower: this.attained(lower, (tight) => tight.delta(epsilon).lower), upper };
  }

  epsilon(delta: number): Interval {
    const { work, aim } = this;
    const directions = work.directions.map((facts) => ({ facts, infinite: infiniteOf(work.steps, facts) }));
    const infinite = Math.max(...directions.map((direction) => direction.infinite), 0);
    const highest = Math.max(...directions.map(({ facts }) => facts.maxLoss), 0);
    const pure = infinite === 0 && highest < Number.POSITIVE_INFINITY;
    if (delta === 0) {
      const exact = pure ? Math.max(0, highest * (1 - 1e-13) - this.lossError) : Number.POSITIVE_INFINITY;
      const upper = pure ? highest : Number.POSITIVE_INFINITY;
      return { lower: this.attained(exact, (tight) => tight.epsilon(0).lower), upper };
    }
    if (!work.countable) return { lower: 0, upper: pure ? highest : Number.POSITIVE_INFINITY };
    const plans = directions.map((own) => planForDelta(work, own.facts, delta, own.infinite, aim));
    const ends = plans.map(({ epsilon }) => epsilon);
    const near = Math.min(...ends) > 0.9 * Math.max(...ends);
    const guesses = directions.map((own, i) => {
      const plan = elementAt(plans, i);
      const looked = near && plans.length > 1 && work.steps.length >= manyLaws;
      return { ...own, plan, about: looked ? roughEpsilon(work, own.facts, plan, delta, aim) : plan.epsilon };
    });
    // The greater is found first: a coarse look then mostly proves that the other stays below it.
    guesses.sort((a, b) => b.about - a.about);
    let worst: Interval = { lower: 0, upper: 0 };
    for (const { facts, infinite: own, plan, about } of guesses) {
      if (worst.upper > 0 && staysBelow(work, facts, plan, delta, own, about, worst.upper, aim)) continue;
      worst = worstOf([worst, epsilonOfDirection(work, facts, plan, delta, own, aim, worst.upper)]);
    }
    const lower = Math.min(worst.lower, worst.upper);
    return {
      lower: this.attained(lower, (tight) => Math.min(worst.upper, tight.epsilon(delta).lower)),
      upper: worst.upper,
    };
  }

  /** Bounds of δ at a modest price for each of many ε: tilts are kept, and serve an ε near their mean. */
  profile(epsilon: number): Interval {
    if (!this.work.countable) return nothingProven;
    const { lower, upper } = worstOf(
      this.work.directions.map((facts) => this.profileOf(facts).delta(epsilon)),
    );
    return { lower: this.attained(lower, (tight) => tight.profile(epsilon).lower), upper };
  }

  /** Both directions of what some neighbours reach, apart: δ at a modest price for each of many ε ≥ 0. Null where none is known. */
  reached(): ReachedProfiles | null {
    if (!this.work.countable) return null;
    if (!this.pairs.every(({ pair }) => pair.tight)) {
      const [first] = reachedBy(this.pairs);
      return first === undefined ? null : new PldComposition(first, this.aim).reached();
    }
    const [forward, mirrored = forward] = this.work.directions.map((facts) => this.profileOf(facts));
    if (forward === undefined || mirrored === undefined) return null;
    return {
      forward: (epsilon) => forward.delta(epsilon),
      mirrored: (epsilon) => mirrored.delta(epsilon),
    };
  }

  /** The error of the composed loss that the pairs declare for themselves. */
  private get lossError(): number {
    return this.pairs.reduce((sum, { pair, count }) => sum + Number(count) * (pair.lossError ?? 0), 0);
  }

  private profileOf(facts: DirectionFacts): KeptProfile {
    const known = this.profiles.get(facts) ?? new KeptProfile(this.work, facts, this.aim);
    this.profiles.set(facts, known);
    return known;
  }

  /** A lower bound of the mechanism: that of the pairs where all are tight, else the greatest of those that are known to be reached. */
  private attained(lower: number, of: (tight: PldComposition) => number): number {
    if (this.pairs.every(({ pair }) => pair.tight)) return lower;
    this.tightOnly ??= reachedBy(this.pairs).map((pairs) => new PldComposition(pairs, this.aim));
    return Math.max(0, ...this.tightOnly.map(of));
  }
}

/**
 * Compositions that some neighbours reach: of the pairs that are tight, and one that is reached for each of the others. The first of all of
 * them together, then the second: any choice would be as sound.
 */
function reachedBy(pairs: readonly CountedPair[]): readonly (readonly CountedPair[])[] {
  const choices = pairs.flatMap(({ pair, count }) => {
    const reached = pair.tight ? [pair] : (pair.reached ?? []);
    return reached.length === 0 ? [] : [{ reached, count }];
  });
  const most = Math.max(0, ...choices.map(({ reached }) => reached.length));
  return Array.from({ length: most }, (_, i) =>
    mergePairs(
      choices.map(({ reached, count }) => ({
        pair: elementAt(reached, Math.min(i, reached.length - 1)),
        count,
      })),
    ),
  );
}
