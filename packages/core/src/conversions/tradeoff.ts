import { invalidParameter } from "../errors/lethe-error.ts";
import { ndtr } from "../numeric/special/ndtr.ts";
import { ndtri } from "../numeric/special/ndtri.ts";
import { checkDelta, checkEpsilon } from "./search/checks.ts";
import type { Range } from "./search/least-epsilon.ts";

/** Errors: parameter.invalid unless 0 ≤ α ≤ 1. */
export function checkTypeOne(alpha: number): number {
  if (!(alpha >= 0 && alpha <= 1)) throw invalidParameter("alpha", alpha, "in [0, 1]");
  return alpha;
}

/**
 * The trade-off function of a Gaussian mechanism with μ = Δ₂/σ: f(α) = Φ(Φ⁻¹(1−α) − μ), both ends.
 * Source: Dong, Roth & Su 2022, Def. 2.6 and Thm 2.7.
 * Direction: exact
 * Errors: parameter.invalid unless μ ≥ 0 and 0 ≤ α ≤ 1.
 * @example gaussianTradeoff(1, 0.05).lower // => 0.7405
 */
export function gaussianTradeoff(mu: number, alpha: number): Range {
  checkEpsilon(mu, "mu");
  checkTypeOne(alpha);
  if (alpha === 0 || alpha === 1) return { lower: 1 - alpha, upper: 1 - alpha };
  const quantile = -ndtri(alpha);
  const x = quantile - mu;
  const value = ndtr(x);
  // φ/Φ is at most |x| + 1 to the left of 0: the rounding of x is magnified by that.
  const margin = 1e-14 + 1e-15 * (Math.abs(quantile) + mu) * (Math.abs(Math.min(0, x)) + 1);
  return {
    lower: Math.max(0, value * (1 - margin)),
    upper: Math.min(1 - alpha, value * (1 + margin) + Number.MIN_VALUE),
  };
}

/**
 * The least trade-off function of an (ε, δ)-DP mechanism: max{0, 1 − δ − e^ε·α, e^(−ε)(1 − δ − α)}, both ends.
 * Source: Wasserman & Zhou 2010, Thm 2.4; Dong, Roth & Su 2022, Prop. 2.5 (C Lemma 2).
 * Direction: exact
 * Errors: parameter.invalid unless ε ≥ 0, 0 ≤ δ < 1 and 0 ≤ α ≤ 1.
 * @example approximateTradeoff(1, 0, 0.5).lower // => 0.1839
 */
export function approximateTradeoff(epsilon: number, delta: number, alpha: number): Range {
  checkEpsilon(epsilon);
  checkDelta(delta);
  const value = lines(epsilon, delta, checkTypeOne(alpha));
  const slack = 4e-16 * (1 + epsilon);
  return { lower: Math.max(0, value - slack), upper: Math.min(1 - alpha, value + slack) };
}

function lines(epsilon: number, delta: number, alpha: number): number {
  const steep = alpha === 0 ? 1 - delta : 1 - delta - Math.exp(epsilon) * alpha;
  return Math.max(0, steep, Math.exp(-epsilon) * (1 - delta - alpha));
}

/** The largest ε that is tried; e^(−745) is the least positive double. */
const farthest = 745;

/**
 * The trade-off function of a privacy profile: f(α) = sup over ε ≥ 0 of max{0, 1 − δ(ε) − e^ε·α, e^(−ε)(1 − δ(ε) − α)}. Any set of ε
 * gives a sound lower end (from the upper δ). The upper end, from the lower δ, bounds the supremum cell by cell; it is proven
 * where the lower δ are those of one pair of neighbours that some map exchanges (a symmetric trade-off function), and trivial where they
 * are 0. `evaluations` bounds the calls of `deltaAt`.
 * Source: Dong, Roth & Su 2022, Prop. 2.12.
 * Direction: lower
 * Errors: parameter.invalid unless 0 ≤ α ≤ 1.
 */
export function tradeoffFromProfile(
  deltaAt: (epsilon: number) => Range,
  alpha: number,
  reach: number,
  evaluations = 200,
): Range {
  checkTypeOne(alpha);
  const end = Math.min(farthest, Math.max(reach, 1e-6));
  const safe = supremum((epsilon) => deltaAt(epsilon).upper, alpha, end, evaluations).attained;
  const open = supremum((epsilon) => deltaAt(epsilon).lower, alpha, end, evaluations).bound;
  const lower = Math.max(0, safe * (1 - 1e-14) - 1e-15);
  return { lower, upper: Math.min(1 - alpha, Math.max(lower, open * (1 + 1e-14) + 1e-15)) };
}

interface Cell {
  readonly from: number;
  readonly to: number;
  readonly later: number;
  readonly bound: number;
}

/** Branch and bound: δ does not increase, so a cell is bounded by its later δ and its earlier lines. */
function supremum(
  deltaAt: (epsilon: number) => number,
  alpha: number,
  end: number,
  evaluations: number,
): { readonly attained: number; readonly bound: number } {
  let attained = lines(0, deltaAt(0), alpha);
  const cell = (from: number, to: number, later: number): Cell => ({
    from,
    to,
    later,
    bound: lines(from, later, alpha),
  });
  const at = (epsilon: number): number => {
    const delta = deltaAt(epsilon);
    attained = Math.max(attained, lines(epsilon, delta, alpha));
    return delta;
  };
  const cells = [cell(0, end, at(end))];
  // Beyond the end: δ may fall to 0.
  if (end < farthest) cells.push(cell(end, farthest, at(farthest)));
  const beyond = lines(farthest, 0, alpha);
  for (let turn = 3; turn < evaluations; turn++) {
    const worst = cells.reduce((a, b) => (b.bound > a.bound ? b : a));
    const { from, to, later, bound } = worst;
    if (!(bound > attained + 1e-12) || !(to - from > 1e-13 * to)) break;
    const middle = (from + to) / 2;
    cells[cells.indexOf(worst)] = cell(from, middle, at(middle));
    cells.push(cell(middle, to, later));
  }
  return { attained, bound: Math.max(attained, beyond, ...cells.map(({ bound }) => bound)) };
}
