import type { Aim } from "../../measures/aim.ts";
import { careFor } from "../tilt/leakage.ts";
import { rangeOfTilt, saddleForDelta, saddleForEpsilon } from "../tilt/saddle.ts";
import { planOfSaddle } from "../tilt/tilt-plan.ts";
import { mostAttempts } from "./attempts.ts";
import { type DirectionFacts, type Interval, infiniteOf, type TiltedDirection } from "./direction.ts";
import { planForDelta } from "./epsilon-search.ts";
import type { GridWork } from "./grid-work.ts";

/** ln of the least δ that a profile tells apart: all ε beyond share one tilt. */
const profileDepth = -92;
/** Deviations from the mean of a tilt within which it serves the ε around it. */
const aroundIt = 3;

/** Tilts of one direction, each with the ε that it serves: bounds of δ at a modest price for each of many ε. */
export class KeptProfile {
  private readonly work: GridWork;
  private readonly facts: DirectionFacts;
  private readonly accuracy: number;
  private pitch: number | null;
  private readonly tilted: {
    readonly direction: TiltedDirection;
    readonly from: number;
    readonly to: number;
  }[] = [];

  constructor(work: GridWork, facts: DirectionFacts, aim: Aim) {
    const plan = planForDelta(work, facts, 1e-5, infiniteOf(work.steps, facts), aim);
    this.work = work;
    this.facts = facts;
    this.accuracy = aim.sought(1);
    this.pitch = work.pitchFor(facts, plan, this.accuracy);
  }

  delta(epsilon: number): Interval {
    const found = this.tilted.find(({ from, to }) => epsilon >= from && epsilon <= to);
    if (found) return found.direction.delta(epsilon);
    const { work, facts, accuracy } = this;
    const aimed = saddleForEpsilon(facts.repeated, epsilon);
    const tooDeep = aimed.logDelta < profileDepth;
    const saddle = tooDeep ? saddleForDelta(facts.repeated, profileDepth) : aimed;
    const plan = planOfSaddle(facts.repeated, saddle, saddle.mean);
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const expected = Math.max(1e-60, Math.exp(saddle.logDelta));
      const lost = careFor(accuracy, saddle.tilt, this.pitch === null) * expected;
      const request = { plan, pitch: this.pitch, lost, margin: aroundIt, tailFloor: 1e-60 };
      const direction = work.tilt(facts, request);
      if (direction) {
        const { from, to } = rangeOfTilt(facts.repeated, saddle, 3);
        const beyond = tooDeep || epsilon > to;
        this.tilted.push({
          direction,
          from: Math.min(from, epsilon),
          to: beyond ? Number.POSITIVE_INFINITY : to,
        });
        return direction.delta(epsilon);
      }
      this.pitch = work.coarser(this.pitch, facts, plan, accuracy);
    }
    return { lower: 0, upper: 1 };
  }
}
