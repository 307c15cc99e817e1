import { doubleAt } from "../../../numeric/elements/element-at.ts";
import type { Move } from "./gaussian-moves.ts";

/** ln(P/Q) at a point, its slope, and both densities up to one factor. */
export interface MixturePoint {
  loss: number;
  slope: number;
  /** The larger density over that of N(0, 1)'s constant; the other is e^{−|loss|} times it. */
  larger: number;
}

interface Side {
  readonly moves: Float64Array;
  readonly weights: Float64Array;
}

/**
 * P = Σ weight·N(move, 1) against Q = Σ weight·N(−move, 1), all moves ≥ 0, so that ln(P/Q) grows with x. Each side is taken over the
 * density of N(0, 1): its terms are exponentials of m·(±x − m/2), and the larger side is never a difference.
 */
export class GaussianMixture {
  private readonly forward: Side;
  private readonly backward: Side;
  private readonly point: MixturePoint = { loss: 0, slope: 0, larger: 0 };
  private top = 0;
  private topMove = 0;
  private sum = 0;
  private mean = 0;

  constructor(forward: readonly Move[], backward: readonly Move[]) {
    this.forward = sideOf(forward);
    this.backward = sideOf(backward);
  }

  /** The point is valid until the next call. */
  at(x: number): MixturePoint {
    this.evaluate(this.forward, x);
    const { top, topMove, sum, mean } = this;
    this.evaluate(this.backward, -x);
    const loss = top - this.top + Math.log(sum / this.sum);
    const { point } = this;
    point.loss = loss;
    point.slope = mean + this.mean;
    // The exponent of the larger side from the distance to its leading mean, where nothing cancels.
    const distance = loss > 0 ? x - topMove : x + this.topMove;
    point.larger = Math.exp(-0.5 * distance * distance) * (loss > 0 ? sum : this.sum);
    return point;
  }

  private evaluate({ moves, weights }: Side, x: number): void {
    let [top, at] = [Number.NEGATIVE_INFINITY, 0];
    for (let i = 0; i < moves.length; i++) {
      const exponent = doubleAt(moves, i) * (x - 0.5 * doubleAt(moves, i));
      if (exponent > top) [top, at] = [exponent, i];
    }
    let [sum, moved] = [0, 0];
    for (let i = 0; i < moves.length; i++) {
      const term = doubleAt(weights, i) * Math.exp(doubleAt(moves, i) * (x - 0.5 * doubleAt(moves, i)) - top);
      sum += term;
      moved += term * doubleAt(moves, i);
    }
    this.top = top;
    this.topMove = doubleAt(moves, at);
    this.sum = sum;
    this.mean = moved / sum;
  }
}

function sideOf(moves: readonly Move[]): Side {
  return {
    moves: Float64Array.from(moves, ({ move }) => move),
    weights: Float64Array.from(moves, ({ weight }) => weight),
  };
}

/**
 * The x in [from, last] where the loss is `target`, by Newton's method within a bracket; `last` where the loss stays below. After a step of
 * s the next is off by at most (a move)·s²/2.
 */
export function crossingOf(mixture: GaussianMixture, target: number, from: number, last: number): number {
  if (target === Number.POSITIVE_INFINITY) return last;
  let [low, high] = [from, last];
  let x = from;
  for (let round = 0; round < 200; round++) {
    const { loss, slope } = mixture.at(x);
    if (loss < target) low = x;
    else high = x;
    if (low === last) return last;
    const newton = x - (loss - target) / slope;
    const inside = newton > low && newton < high;
    // Past the end nothing is sought: the end itself decides.
    const next = inside ? newton : x === from && newton >= last ? last : 0.5 * (low + high);
    if (
      Math.abs(next - x) <= 1e-10 * (1 + Math.abs(x)) &&
      (inside || high - low <= 1e-13 * (1 + Math.abs(x)))
    ) {
      return next;
    }
    x = next;
  }
  return x;
}
