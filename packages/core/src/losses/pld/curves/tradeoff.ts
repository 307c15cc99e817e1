import type { Interval } from "../search/direction.ts";

interface Cell {
  readonly left: number;
  readonly right: number;
  /** No value of the two lines inside is above. */
  readonly bound: number;
}

const mostEvaluations = 400;

/**
 * f(α) = sup over ε ≥ 0 of 1 − δ(ε) − e^ε·α, e^{−ε}·(1 − δ(ε) − α) and 0 (Dong, Roth & Su 2022, Prop. 6, both directions in one δ).
 * Any ε gives a lower bound from an upper bound of δ; for the upper bound the axis is cut into cells, in each of which
 * δ(ε) ≥ δ(right) and the rest is monotone, until the best cell is close. Shape: 0 ≤ α ≤ 1.
 * Source: Dong, Roth & Su 2022 (arXiv 1905.02383), Prop. 6
 * Direction: upper
 */
export function tradeoffBounds(profile: (epsilon: number) => Interval, alpha: number): Interval {
  if (alpha === 1) return { lower: 0, upper: 0 };
  let lower = 0;
  const deltas = new Map<number, Interval>();
  const deltaAt = (epsilon: number): Interval => {
    const known = deltas.get(epsilon);
    if (known) return known;
    const found = profile(epsilon);
    deltas.set(epsilon, found);
    const steep = 1 - found.upper - Math.exp(epsilon) * alpha;
    const flat = Math.exp(-epsilon) * (1 - found.upper - alpha);
    lower = Math.max(lower, steep - 4e-16, flat - 4e-16);
    return found;
  };
  const cellOf = (left: number, right: number): Cell => {
    const rest = 1 - deltaAt(right).lower;
    return {
      left,
      right,
      bound: Math.max(rest - Math.exp(left) * alpha, Math.exp(-left) * (rest - alpha), 0) + 4e-16,
    };
  };
  deltaAt(0);
  // Beyond `end` the first line is below 0 and the second below e^{−end}.
  const end = alpha > 0 ? Math.max(40, -Math.log(alpha)) : 60;
  const beyond = alpha > 0 ? Math.exp(-end) : 1;
  const cells: Cell[] = [cellOf(0, end)];
  for (let i = 0; i < mostEvaluations; i++) {
    const worst = cells.reduce((a, b) => (b.bound > a.bound ? b : a));
    const { left, right, bound } = worst;
    if (bound - lower <= 1e-6 * Math.max(lower, 1e-3)) break;
    const middle = (left + right) / 2;
    if (!(middle > left && middle < right)) break;
    cells[cells.indexOf(worst)] = cellOf(left, middle);
    cells.push(cellOf(middle, right));
  }
  const upper = Math.min(1 - alpha, Math.max(beyond, ...cells.map(({ bound }) => bound)));
  return { lower: Math.min(lower, 1 - alpha, upper), upper };
}
