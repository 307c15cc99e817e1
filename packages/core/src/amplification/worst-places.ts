import type { Masses } from "./loss-atoms.ts";
import type { BestOfRuns } from "./run-law.ts";

/** Two factors are told apart where they differ by more than this, in logarithms. */
const leastStep = 2e-4;
const mostSteps = 1e5;

/** The relative amount by which masses, and sums of them, are widened. */
const widened = 1e-11;

/**
 * The most that the best of K runs can lose: every outcome stands where it adds the most to δ, each for itself. Where outcomes that
 * have P-mass s above them have Q-mass at most T(s) above, a sliver of masses (p, q) there adds (p·f′(1 − s) − e^ε·q·f′(1 − T(s)))₊.
 */
export class WorstPlaces {
  private readonly masses: Masses;
  private readonly best: BestOfRuns;
  /** The upper envelope of the lines A − x·B, in falling x: what a sliver of ratio x·e^{−ε} can add a P-mass. */
  private readonly gains: number[] = [];
  private readonly costs: number[] = [];
  /** s of each line. */
  private readonly places: number[] = [];

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
      aboveP[i + 1] = aboveP[i]! + p[i]!;
      aboveQ[i + 1] = aboveQ[i]! + q[i]!;
    }
    const gain = (s: number): number => best.factor(s * (1 - widened));
    const cost = (s: number): number => best.factor(Math.min(1, s * (1 + widened)));
    const cut = (fromP: number, fromQ: number, toP: number, toQ: number): void => {
      const far = Math.max(Math.log(gain(toP) / gain(fromP)), Math.log(cost(toQ) / cost(fromQ))) > step;
      if (far) {
        const [middleP, middleQ] = [(fromP + toP) / 2, (fromQ + toQ) / 2];
        cut(fromP, fromQ, middleP, middleQ);
        cut(middleP, middleQ, toP, toQ);
      } else this.add(gain(toP), cost(fromQ), toP);
    };
    if (infiniteP > 0)
      cut(aboveP[p.length]! + infiniteP, aboveQ[p.length]!, aboveP[p.length]!, aboveQ[p.length]!);
    for (let i = p.length - 1; i >= 0; i--) cut(aboveP[i + 1]!, aboveQ[i + 1]!, aboveP[i]!, aboveQ[i]!);
    if (aboveQ[0] > 0) cut(0, aboveQ[0], 0, 0);
  }

  /** Lines come with gain and cost not falling. */
  private add(gain: number, cost: number, place: number): void {
    const { gains, costs, places } = this;
    for (let last = gains.length - 1; last >= 0; last--) {
      const worse =
        costs[last]! >= cost
          ? gains[last]! <= gain
          : last > 0 &&
            (gains[last]! - gains[last - 1]!) * (cost - costs[last]!) <=
              (gain - gains[last]!) * (costs[last]! - costs[last - 1]!);
      if (!worse) break;
      gains.pop();
      costs.pop();
      places.pop();
    }
    if (costs.at(-1) !== undefined && costs.at(-1)! >= cost) return;
    gains.push(gain);
    costs.push(cost);
    places.push(place);
  }

  /** Returns at least δ(ε) of the best outcome, in this direction. */
  delta(epsilon: number): number {
    const { masses, best, gains, costs } = this;
    const { p, q, infiniteP, left } = masses;
    const factor = Math.exp(epsilon);
    let total = (infiniteP + 2 * left) * best.factor(0);
    let k = 0;
    for (let i = 0; i < p.length; i++) {
      const x = (factor * q[i]!) / p[i]!;
      while (k + 1 < gains.length && gains[k + 1]! - gains[k]! >= x * (costs[k + 1]! - costs[k]!)) k++;
      total += Math.max(
        0,
        p[i]! * gains[k]! * (1 + best.slack) - factor * q[i]! * costs[k]! * (1 - best.slack),
      );
    }
    return Math.min(1, total * (1 + widened));
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
    let [low, high] = [0, gains.length - 1];
    while (low < high) {
      const k = (low + high + 1) >> 1;
      if (gains[k]! - gains[k - 1]! >= x * (costs[k]! - costs[k - 1]!)) low = k;
      else high = k - 1;
    }
    return gains[low]! > x * costs[low]! ? places[low]! : null;
  }
}
