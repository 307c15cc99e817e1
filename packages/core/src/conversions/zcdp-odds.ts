import { invalidParameter } from "../errors/lethe-error.ts";
import { checkDelta, checkEpsilon } from "./search/checks.ts";
import { checkTypeOne } from "./tradeoff.ts";

/** Room for the rounding of a dozen operations, relative. */
const room = 1e-14;
const halvings = 60;

/**
 * The most that any test gains over guessing on a δ-approximate ρ-zCDP mechanism: δ + (1 − δ)·tanh(ε/2), where ε·tanh(ε/2) = ρ. The trade-off
 * region of ρ-zCDP is convex, and the same when its two errors are exchanged, so its largest gain x lies where both errors are (1 − x)/2: two coins whose
 * Kullback–Leibler divergence is x·ln((1 + x)/(1 − x)) ≤ ρ. Randomized response of that ε is ρ-zCDP and reaches it. With δ, both errors shrink by 1 − δ at the most.
 * Source: Bun & Steinke 2016, Prop. 3.3 and Def. 8.1; Zhu, Dong & Wang 2022, App. F.1.
 * Direction: exact, rounded up
 * Errors: parameter.invalid unless ρ ≥ 0 is finite and 0 ≤ δ < 1.
 * @example zcdpAdvantage(0.1) // => 0.2217419
 */
export function zcdpAdvantage(rho: number, delta = 0): number {
  checkEpsilon(rho, "rho");
  checkDelta(delta);
  // x ≤ √(ρ/2) (Pinsker) and x ≤ 1.
  let [within, beyond] = [0, Math.min(1, Math.sqrt(rho / 2) * (1 + room))];
  for (let turn = 0; turn < halvings; turn += 1) {
    const x = (within + beyond) / 2;
    if (x * 2 * Math.atanh(x) * (1 - room) <= rho) within = x;
    else beyond = x;
  }
  return withDelta(beyond * (1 + room), delta);
}

/** Orders of Rényi divergence that are asked, λ − 1 from 10⁻³ to 10⁴: every one of them gives a bound, and so any list does. */
const orders: readonly number[] = Array.from({ length: 281 }, (_, i) => 1 + 10 ** (-3 + i / 40));

/**
 * The most true positives of a test on a δ-approximate ρ-zCDP mechanism that is wrong on at most a share `alpha` of those who are not in the data: a test makes
 * coins of both laws, whose Rényi divergences are at most λ·ρ at every order λ, in either direction. The two coins are themselves a mechanism, so that over all
 * orders no bound is smaller.
 * Source: Zhu, Dong & Wang 2022, App. F.1 (data processing); Bun & Steinke 2016, Def. 8.1.
 * Direction: upper
 * Errors: parameter.invalid unless ρ ≥ 0 is finite, 0 ≤ δ < 1 and 0 < alpha < 1.
 * @example zcdpTruePositives(0.1, 0, 0.01) // => 0.0350625
 */
export function zcdpTruePositives(rho: number, delta: number, alpha: number): number {
  checkEpsilon(rho, "rho");
  checkDelta(delta);
  if (!(checkTypeOne(alpha) > 0 && alpha < 1)) throw invalidParameter("alpha", alpha, "in (0, 1)");
  // A test of the whole with α is one of the rest with at most α/(1 − δ).
  const wrong = Math.min(1, (alpha / (1 - delta)) * (1 + room));
  if (wrong === 1) return 1;
  let [within, beyond] = [wrong, 1];
  for (let turn = 0; turn < halvings; turn += 1) {
    const right = (within + beyond) / 2;
    if (allowed(rho, wrong, right)) within = right;
    else beyond = right;
  }
  return withDelta(beyond * (1 + room), delta);
}

/** Whether no order excludes coins of heads with these chances, wrong < right < 1. */
function allowed(rho: number, wrong: number, right: number): boolean {
  const heads = Math.log(right / wrong);
  const tails = Math.log1p(-right) - Math.log1p(-wrong);
  return orders.every((order) => {
    const most = order * rho;
    return divergence(order, right, heads, tails) <= most && divergence(order, wrong, -heads, -tails) <= most;
  });
}

/** The Rényi divergence of a coin of `heads` from another, given the log ratios of both sides; rounded down. */
function divergence(order: number, heads: number, ofHeads: number, ofTails: number): number {
  const [a, b] = [(order - 1) * ofHeads, (order - 1) * ofTails];
  const top = Math.max(a, b);
  const value = (top + Math.log(heads * Math.exp(a - top) + (1 - heads) * Math.exp(b - top))) / (order - 1);
  return value - (2e-15 * (1 + Math.abs(a) + Math.abs(b))) / (order - 1);
}

function withDelta(rest: number, delta: number): number {
  return Math.min(1, (delta + (1 - delta) * Math.min(1, rest)) * (1 + room));
}
