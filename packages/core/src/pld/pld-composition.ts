import { type Alignment, alignedPitch, alignmentOf } from "./alignment.ts";
import { type CountedPair, mergePairs } from "./counted-pair.ts";
import {
  type DirectionFacts,
  directionFacts,
  type Interval,
  type TiltedDirection,
  tiltDirection,
} from "./direction.ts";
import { type GridRequest, type GridSteps, latticeOfSteps, planSteps, putOnGrid } from "./grid-steps.ts";
import type { Lattice } from "./lattice.ts";
import { careFor, leakageForNormal, leakageForShare } from "./leakage.ts";
import { greatestBelow, leastWhere } from "./monotone-search.ts";
import { pitchFor } from "./pitch.ts";
import { rangeOfTilt, type Saddle, saddleForDelta, saddleForEpsilon } from "./saddle.ts";
import { normalReach } from "./tail-bound.ts";
import { windowFor } from "./window.ts";

/** Tilts of one direction, each with the ε that it serves. */
interface Profile {
  pitch: number | null;
  readonly tilted: { readonly direction: TiltedDirection; readonly from: number; readonly to: number }[];
}

interface TiltOptions {
  readonly withLower?: boolean;
  readonly tailFloor?: number;
  readonly leakage?: number;
}

const nothingProven: Interval = { lower: 0, upper: 1 };
/** ln of the least δ that a profile tells apart: all ε beyond share one tilt. */
const profileDepth = -92;
const mostAttempts = 12;
/** Deviations from the mean of a tilt within which it serves: one answer is sought near it, those of a profile around it. */
const oneAnswer = 1;
const aroundIt = 3;

/** Small sums may be refined often, large ones hardly. */
function attemptsFor(size: number): number {
  return size <= 1 << 15 ? mostAttempts : size <= 1 << 18 ? 3 : size <= 1 << 19 ? 1 : 0;
}

function worstOf(parts: readonly Interval[]): Interval {
  return {
    lower: Math.max(0, ...parts.map((part) => part.lower)),
    upper: Math.max(0, ...parts.map((part) => part.upper)),
  };
}

/** A composition of pairs with the work that its answers share: plans, and the last grids. Immutable from outside. */
export class PldComposition {
  private readonly accuracy: number;
  private readonly pairs: readonly CountedPair[];
  private readonly lattice: Lattice | null;
  private readonly alignment: Alignment;
  private readonly steps: ReturnType<typeof planSteps>;
  private readonly directions: readonly DirectionFacts[];
  private readonly grids: { readonly request: GridRequest; readonly grid: GridSteps }[] = [];
  private readonly profiles = new Map<DirectionFacts, Profile>();

  private tightOnly: PldComposition | undefined;

  constructor(pairs: readonly CountedPair[], accuracy: number) {
    this.pairs = pairs;
    this.accuracy = accuracy;
    this.steps = planSteps(pairs);
    this.lattice = latticeOfSteps(this.steps);
    this.alignment = alignmentOf(this.steps);
    const symmetric = pairs.every(({ pair }) => pair.symmetric);
    this.directions = (symmetric ? (["forward"] as const) : (["forward", "mirrored"] as const)).map((side) =>
      directionFacts(this.steps, side),
    );
  }

  delta(epsilon: number): Interval {
    let worst: Interval = { lower: 0, upper: 0 };
    for (const facts of this.directions) worst = worstOf([worst, this.deltaOf(facts, epsilon, worst.lower)]);
    const { lower, upper } = worst;
    return { lower: this.attained(lower, (tight) => tight.delta(epsilon).lower), upper };
  }

  epsilon(delta: number): Interval {
    const infinite = Math.max(...this.directions.map((facts) => this.infiniteOf(facts)), 0);
    const highest = Math.max(...this.directions.map((facts) => facts.maxLoss), 0);
    const pure = infinite === 0 && highest < Number.POSITIVE_INFINITY;
    if (delta === 0) {
      const exact = pure ? highest * (1 - 1e-13) : Number.POSITIVE_INFINITY;
      const upper = pure ? highest : Number.POSITIVE_INFINITY;
      return { lower: this.attained(exact, (tight) => tight.epsilon(0).lower), upper };
    }
    if (!this.countable()) return { lower: 0, upper: pure ? highest : Number.POSITIVE_INFINITY };
    const guesses = this.directions.map((facts) => ({ facts, saddle: this.saddleFor(facts, delta) }));
    guesses.sort((a, b) => b.saddle.mean - a.saddle.mean);
    let worst: Interval = { lower: 0, upper: 0 };
    for (const { facts, saddle } of guesses) {
      if (worst.upper > 0 && this.staysBelow(facts, saddle, delta, worst.upper)) continue;
      worst = worstOf([worst, this.epsilonOf(facts, saddle, delta)]);
    }
    const lower = Math.min(worst.lower, worst.upper);
    return {
      lower: this.attained(lower, (tight) => Math.min(worst.upper, tight.epsilon(delta).lower)),
      upper: worst.upper,
    };
  }

  /** Bounds of δ at a modest price for each of many ε: tilts are kept, and serve an ε near their mean. */
  profile(epsilon: number): Interval {
    if (!this.countable()) return nothingProven;
    const { lower, upper } = worstOf(this.directions.map((facts) => this.profileOf(facts, epsilon)));
    return { lower: this.attained(lower, (tight) => tight.profile(epsilon).lower), upper };
  }

  /** A lower bound of the mechanism: that of the pairs where all are tight, else that of those that are, or are known to be reached. */
  private attained(lower: number, of: (tight: PldComposition) => number): number {
    if (this.pairs.every(({ pair }) => pair.tight)) return lower;
    const tight = this.pairs.flatMap(({ pair, count }) => {
      const reached = pair.tight ? pair : pair.reached;
      return reached === undefined ? [] : [{ pair: reached, count }];
    });
    if (tight.length === 0) return 0;
    this.tightOnly ??= new PldComposition(mergePairs(tight), this.accuracy);
    return of(this.tightOnly);
  }

  private countable(): boolean {
    return this.steps.every(({ count }) => count <= 2 ** 50);
  }

  private infiniteOf({ side }: DirectionFacts): number {
    let log = 0;
    for (const { counted, count } of this.steps) {
      const one = side === "forward" ? counted.pair.infiniteP : counted.pair.infiniteQ;
      if (one > 0) log += count * Math.log1p(-Math.min(1, one));
    }
    return log === 0 ? 0 : -Math.expm1(log);
  }

  private saddleFor(facts: DirectionFacts, delta: number): Saddle {
    const finite = delta - this.infiniteOf(facts);
    return saddleForDelta(facts.repeated, Math.log(Math.max(finite, 1e-3 * delta)));
  }

  private deltaOf(facts: DirectionFacts, epsilon: number, enough: number): Interval {
    if (!this.countable()) return nothingProven;
    const saddle = saddleForEpsilon(facts.repeated, epsilon);
    let pitch = this.pitchFor(facts, saddle);
    let best = nothingProven;
    let last = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const tilted = this.tilt(facts, saddle, pitch, Math.exp(saddle.logDelta), oneAnswer);
      if (tilted === null) {
        pitch = this.coarser(pitch, facts, saddle);
        continue;
      }
      const found = tilted.delta(epsilon);
      best = { lower: Math.max(best.lower, found.lower), upper: Math.min(best.upper, found.upper) };
      const step = Math.max(1e-3, this.accuracy);
      const slope = Math.max(0, (found.upper - tilted.delta(epsilon + step).upper) / step);
      const width = found.upper - found.lower;
      const aim = Math.max(slope * this.accuracy, 1e-3 * this.accuracy * found.upper);
      if (!(width > aim) || found.upper <= enough || found.lower === 0 || pitch === null) break;
      if (attempt >= attemptsFor(tilted.size) || width > 0.7 * last) break;
      last = width;
      pitch = alignedPitch(this.alignment, pitch * Math.max(0.1, 0.9 * Math.sqrt(aim / width)));
    }
    return best;
  }

  private epsilonOf(facts: DirectionFacts, guess: Saddle, delta: number): Interval {
    const everything = { lower: Number.POSITIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
    if (this.infiniteOf(facts) * (1 - 1e-9) > delta) return everything;
    let saddle = guess;
    let pitch = this.pitchFor(facts, saddle);
    let best: Interval = {
      lower: 0,
      upper: this.infiniteOf(facts) > 0 ? Number.POSITIVE_INFINITY : facts.maxLoss,
    };
    let retilts = 0;
    let last = Number.POSITIVE_INFINITY;
    let leakage = this.leakageAt(saddle, pitch);
    const finiteDelta = delta - this.infiniteOf(facts);
    for (let attempt = 0; attempt < mostAttempts + 8; attempt++) {
      const tilted = this.tilt(facts, saddle, pitch, delta, oneAnswer, { leakage });
      if (tilted === null) {
        pitch = this.coarser(pitch, facts, saddle);
        continue;
      }
      const found = this.epsilonsOf(tilted, facts, delta);
      best = { lower: Math.max(best.lower, found.lower), upper: Math.min(best.upper, found.upper) };
      const width = best.upper - best.lower;
      if (!(width > this.accuracy)) break;
      const far = Math.abs(found.upper - saddle.mean) > oneAnswer * saddle.deviation;
      if (far && retilts < 3 && found.upper < Number.POSITIVE_INFINITY) {
        retilts++;
        const next = saddleForEpsilon(facts.repeated, found.upper);
        if (next.tilt !== saddle.tilt) {
          saddle = next;
          leakage = this.leakageAt(saddle, pitch);
          continue;
        }
      }
      const less = leakageForShare(this.careAt(saddle, pitch), saddle, found.lower, finiteDelta);
      if (less < 0.1 * leakage) {
        leakage = less;
        continue;
      }
      if (pitch === null || !(width < Number.POSITIVE_INFINITY)) break;
      if (attempt - retilts >= attemptsFor(tilted.size) || width > 0.7 * last) break;
      last = width;
      pitch = alignedPitch(this.alignment, pitch * Math.max(0.1, 0.9 * Math.sqrt(this.accuracy / width)));
    }
    return best;
  }

  /** Whether a coarse look proves that this direction's ε(δ) is at most `limit`. */
  private staysBelow(facts: DirectionFacts, saddle: Saddle, delta: number, limit: number): boolean {
    if (facts.maxLoss <= limit && this.infiniteOf(facts) <= delta) return true;
    if (saddle.mean > limit) return false;
    const gap = Math.max(this.accuracy, 0.5 * (limit - saddle.mean));
    if (this.pitchFor(facts, saddle) === null) return false;
    const coarse = alignedPitch(
      this.alignment,
      pitchFor(facts.repeated, saddle, Math.min(gap, 64 * this.accuracy)),
    );
    const tilted = this.tilt(facts, saddle, coarse, delta, oneAnswer, { withLower: false });
    return tilted !== null && tilted.delta(limit).upper <= delta;
  }

  private epsilonsOf(tilted: TiltedDirection, facts: DirectionFacts, delta: number): Interval {
    const start = Math.max(0, tilted.saddle.mean) + 8 * tilted.saddle.deviation + 1e-9;
    const upper = leastWhere((epsilon) => tilted.delta(epsilon).upper <= delta, start, facts.maxLoss);
    const end = upper < Number.POSITIVE_INFINITY ? upper : start;
    const lower = greatestBelow((epsilon) => tilted.delta(epsilon).lower > delta, end, 1e-2 * this.accuracy);
    return { lower, upper };
  }

  private profileOf(facts: DirectionFacts, epsilon: number): Interval {
    let known = this.profiles.get(facts);
    if (!known) {
      known = { pitch: this.pitchFor(facts, this.saddleFor(facts, 1e-5)), tilted: [] };
      this.profiles.set(facts, known);
    }
    const found = known.tilted.find(({ from, to }) => epsilon >= from && epsilon <= to);
    if (found) return found.direction.delta(epsilon);
    const aimed = saddleForEpsilon(facts.repeated, epsilon);
    const tooDeep = aimed.logDelta < profileDepth;
    const saddle = tooDeep ? saddleForDelta(facts.repeated, profileDepth) : aimed;
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const expected = Math.max(1e-60, Math.exp(saddle.logDelta));
      const direction = this.tilt(facts, saddle, known.pitch, expected, aroundIt, { tailFloor: 1e-60 });
      if (direction) {
        const { from, to } = rangeOfTilt(facts.repeated, saddle, 3);
        const beyond = tooDeep || epsilon > to;
        known.tilted.push({
          direction,
          from: Math.min(from, epsilon),
          to: beyond ? Number.POSITIVE_INFINITY : to,
        });
        return direction.delta(epsilon);
      }
      known.pitch = this.coarser(known.pitch, facts, saddle);
    }
    return nothingProven;
  }

  /** The pitch for the accuracy asked for; null where a lattice holds all losses and is hardly finer. */
  private pitchFor(facts: DirectionFacts, saddle: Saddle): number | null {
    const pitch = pitchFor(facts.repeated, saddle, 0.75 * this.accuracy);
    if (this.lattice && this.lattice.pitch > pitch / 8) return null;
    const reach = normalReach(1.1 * saddle.deviation);
    const { period } = windowFor({
      ...saddle,
      leakage: this.leakageAt(saddle, 1),
      margin: oneAnswer,
      reachAbove: reach,
      reachBelow: reach,
    });
    const window = period / pitch;
    // A window that barely exceeds a power of two takes a slightly coarser grid.
    const excess = window / 2 ** Math.floor(Math.log2(Math.max(2, window)));
    const fitted = excess < 1.07 ? pitch * Math.max(1, excess) : pitch;
    // In steps of 2 %, so that near requests share a grid.
    return alignedPitch(this.alignment, 2 ** (Math.floor(32 * Math.log2(fitted)) / 32));
  }

  private coarser(pitch: number | null, facts: DirectionFacts, saddle: Saddle): number {
    return alignedPitch(this.alignment, 4 * (pitch ?? pitchFor(facts.repeated, saddle, this.accuracy)));
  }

  private careAt(saddle: Saddle, pitch: number | null): number {
    return careFor(this.accuracy, saddle, pitch === null);
  }

  private leakageAt(saddle: Saddle, pitch: number | null): number {
    return leakageForNormal(this.careAt(saddle, pitch), saddle);
  }

  private tilt(
    facts: DirectionFacts,
    saddle: Saddle,
    pitch: number | null,
    delta: number,
    margin: number,
    { withLower = true, tailFloor = 1, leakage = this.leakageAt(saddle, pitch) }: TiltOptions = {},
  ): TiltedDirection | null {
    const count = this.steps.reduce((sum, step) => sum + step.count, 0);
    const tail = Math.min(tailFloor, Math.max(1e-280, (this.careAt(saddle, pitch) * delta) / count), 1e-9);
    const reach = 2 / (saddle.tilt + 0.1);
    const grid = this.gridFor({ pitch, tail, reach: 2 ** Math.round(Math.log2(reach)) });
    return tiltDirection(facts, grid, saddle, leakage, margin, withLower);
  }

  /** A kept grid of that pitch serves where its tails are no heavier, and not lighter by far. */
  private gridFor({ pitch, tail, reach }: GridRequest): GridSteps {
    const kept = this.grids.find(
      (one) =>
        one.request.pitch === pitch &&
        one.request.reach === reach &&
        one.request.tail <= tail &&
        one.request.tail >= 1e-4 * tail,
    );
    if (kept) return kept.grid;
    const request = { pitch, tail: 0.1 * tail, reach };
    const grid = putOnGrid(this.steps, this.lattice, this.alignment, request);
    if (this.grids.length >= 3) this.grids.length = 0;
    this.grids.push({ request, grid });
    return grid;
  }
}
