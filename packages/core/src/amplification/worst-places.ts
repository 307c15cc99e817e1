import { doubleAt } from "../numeric/elements/element-at.ts";
import type { Masses } from "./loss-atoms.ts";
import type { BestOfRuns } from "./run-law.ts";

/** Two factors are told apart where they differ by more than this, in logarithms. */
const leastStep = 2e-4;
const mostSteps = 1e5;

/** The relative amount by which masses, and sums of them, are widened. */
const widened = 1e-11;

/** A line A − x·B: what a sliver of ratio x·e^{−ε} adds a P-mass at a place. */
interface Line {
  readonly gain: number;
  readonly cost: number;
  /** The P-mass s above it. */
  readonly place: number;
}

/**
 * The most that the best of K runs can lose: every outcome stands where it adds the most to δ, each for itself. Where outcomes that
 * have P-mass s above them have Q-mass at most T(s) above, a sliver of masses (p, q) there adds (p·f′(1 − s) − e^ε·q·f′(1 − T(s)))₊.
 */
export class WorstPlaces {
  private readonly masses: Masses;
  private readonly best: BestOfRuns;
  /** The upper envelope of the lines, in falling x. */
  private readonly gains: Float64Array;
  private readonly costs: Float64Array;
  private readonly places: Float64Array;
  /** The amounts by which the next line's gain and cost are more. */
  private readonly gainSteps: Float64Array;
  private readonly costSteps: Float64Array;
  /** Q over P of every outcome: falling. An outcome of more than `mostRatio`·e^{−ε} adds nothing anywhere: the best gain over cost, and what the law's own error may add to it. */
  private readonly ratios: Float64Array;
  private readonly mostRatio: number;

  constructor(masses: Masses, best: BestOfRuns) {
    this.masses = masses;
    this.best = best;
    const { p, q, infiniteP } = masses;
    const range = Math.log(best.factor(0) / best.factor(1));
    const step = Math.max(leastStep, range / mostSteps);
    // From the outcomes of greatest loss, the worst, to those of least, the best: what lies above in P and in Q.
    const aboveP = new Float64Array(p.length + 1);
    const aboveQ = new Float64Array(p.length + 1);
    aboveQ[0] = masses.infiniteQ + masses.left;
    for (let i = 0; i < p.length; i++) {
      aboveP[i + 1] = doubleAt(aboveP, i) + doubleAt(p, i);
      aboveQ[i + 1] = doubleAt(aboveQ, i) + doubleAt(q, i);
    }
    const lines: Line[] = [];
    const gain = (s: number): number => best.factor(s * (1 - widened));
    const cost = (s: number): number => best.factor(Math.min(1, s * (1 + widened)));
    const cut = (fromP: number, fromQ: number, toP: number, toQ: number): void => {
      const far = Math.max(Math.log(gain(toP) / gain(fromP)), Math.log(cost(toQ) / cost(fromQ))) > step;
      if (far) {
        const [middleP, middleQ] = [(fromP + toP) / 2, (fromQ + toQ) / 2];
        cut(fromP, fromQ, middleP, middleQ);
        cut(middleP, middleQ, toP, toQ);
      } else addLine(lines, { gain: gain(toP), cost: cost(fromQ), place: toP });
    };
    if (infiniteP > 0)
      cut(
        doubleAt(aboveP, p.length) + infiniteP,
        doubleAt(aboveQ, p.length),
        doubleAt(aboveP, p.length),
        doubleAt(aboveQ, p.length),
      );
    for (let i = p.length - 1; i >= 0; i--)
      cut(doubleAt(aboveP, i + 1), doubleAt(aboveQ, i + 1), doubleAt(aboveP, i), doubleAt(aboveQ, i));
    if (aboveQ[0] > 0) cut(0, aboveQ[0], 0, 0);
    this.gains = Float64Array.from(lines, (line) => line.gain);
    this.costs = Float64Array.from(lines, (line) => line.cost);
    this.places = Float64Array.from(lines, (line) => line.place);
    this.gainSteps = stepsOf(this.gains);
    this.costSteps = stepsOf(this.costs);
    this.ratios = p.map((mass, i) => doubleAt(q, i) / mass);
    const most = this.gains.reduce(
      (greatest, one, k) => Math.max(greatest, one / doubleAt(this.costs, k)),
      0,
    );
    this.mostRatio = (most * (1 + best.slack)) / (1 - best.slack);
  }

  /** Returns at least δ(ε) of the best outcome, in this direction. */
  delta(epsilon: number): number {
    const { masses, best, gains, costs } = this;
    const { p, q, infiniteP, left } = masses;
    const factor = Math.exp(epsilon);
    let total = (infiniteP + 2 * left) * best.factor(0);
    let k = 0;
    for (let i = this.firstThatAdds(factor); i < p.length; i++) {
      const massP = doubleAt(p, i);
      const massQ = factor * doubleAt(q, i);
      k = this.lineAt(massQ / massP, k);
      total += Math.max(
        0,
        massP * doubleAt(gains, k) * (1 + best.slack) - massQ * doubleAt(costs, k) * (1 - best.slack),
      );
    }
    return Math.min(1, total * (1 + widened));
  }

  /** Returns the first outcome that may add to δ: those before it are left out of its sum, which they would not change. */
  private firstThatAdds(factor: number): number {
    // Beyond what doubles err: an outcome too many adds 0.
    const most = (this.mostRatio * (1 + 1e-6)) / factor;
    let [low, high] = [0, this.ratios.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (doubleAt(this.ratios, middle) > most) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the best line at x, which is line k or a later one. Most are few lines on, so that the steps grow from one. */
  private lineAt(x: number, k: number): number {
    let line = k;
    let stride = 1;
    while (this.rises(line + stride - 1, x)) {
      line += stride;
      stride *= 2;
    }
    for (stride >>= 1; stride >= 1; stride >>= 1) if (this.rises(line + stride - 1, x)) line += stride;
    return line;
  }

  /** Tells whether at x the line after this one is as good. */
  private rises(line: number, x: number): boolean {
    const { gainSteps, costSteps } = this;
    return line < gainSteps.length && doubleAt(gainSteps, line) >= x * doubleAt(costSteps, line);
  }

  /** Returns about the ε at which δ(ε) has this value; 0 where it is less everywhere. */
  epsilon(delta: number): number {
    let [low, high] = [0, 1];
    while (high < 600 && this.delta(high) > delta) high *= 2;
    for (let i = 0; i < 30; i++) {
      const middle = (low + high) / 2;
      if (this.delta(middle) > delta) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Returns the P-mass above the place where a sliver of these masses adds the most to δ(ε); null where it adds nothing. */
  place(p: number, q: number, epsilon: number): number | null {
    if (p === 0) return null;
    const { gains, costs, places } = this;
    const x = (Math.exp(epsilon) * q) / p;
    const k = this.lineAt(x, 0);
    return doubleAt(gains, k) > x * doubleAt(costs, k) ? doubleAt(places, k) : null;
  }
}

function stepsOf(values: Float64Array): Float64Array {
  return values.subarray(1).map((value, k) => value - doubleAt(values, k));
}

/** Adds a line to an envelope. Lines come with gain and cost not falling. */
function addLine(lines: Line[], line: Line): void {
  const { gain, cost } = line;
  for (;;) {
    const [before, last] = [lines.at(-2), lines.at(-1)];
    if (last === undefined) break;
    const worse =
      last.cost >= cost
        ? last.gain <= gain
        : before !== undefined &&
          (last.gain - before.gain) * (cost - last.cost) <= (gain - last.gain) * (last.cost - before.cost);
    if (!worse) break;
    lines.pop();
  }
  const last = lines.at(-1);
  if (last !== undefined && last.cost >= cost) return;
  lines.push(line);
}
