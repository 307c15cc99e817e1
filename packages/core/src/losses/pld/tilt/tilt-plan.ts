import type { Repeated, Saddle } from "./saddle.ts";

/** A number of jumps of each step, tilted by itself. */
export interface Component {
  /** The number of copies of each step whose loss is above the cut; the losses of all others are at most the cut. */
  readonly jumps: readonly number[];
  /** ln of the number of ways to choose those copies. */
  readonly logWays: number;
  readonly saddle: Saddle;
}

/** A decomposition of the law of a sum that shows it near one ε. A plan decides speed and width; nothing is claimed from it. */
export interface TiltPlan {
  readonly epsilon: number;
  /** The loss above which losses are jumps; +∞ where there are none. */
  readonly cut: number;
  /** The loss above which losses are too rare to matter: they count as infinite for an upper end, and as nothing for a lower. */
  readonly cap: number;
  /** All ways to have up to `mostJumps` jumps. */
  readonly components: readonly Component[];
  readonly mostJumps: number;
  /** The distance from `epsilon` within which the plan serves well. */
  readonly deviation: number;
  /** The tilt that says most about how δ falls near ε. */
  readonly tilt: number;
  /** A guess of ln δ(ε), the finite part alone. */
  readonly logDelta: number;
}

/** The whole law under one tilt. */
export function planOfSaddle(steps: readonly Repeated[], saddle: Saddle, epsilon: number): TiltPlan {
  const { tilt, logDelta, deviation } = saddle;
  const component = { jumps: steps.map(() => 0), logWays: 0, saddle };
  return {
    ...{ epsilon, tilt, logDelta, deviation },
    ...{ cut: Number.POSITIVE_INFINITY, cap: Number.POSITIVE_INFINITY },
    ...{ components: [component], mostJumps: 0 },
  };
}
