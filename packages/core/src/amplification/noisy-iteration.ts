import { invalidParameter } from "../errors/lethe-error.ts";
import { elementAt } from "../numeric/elements/element-at.ts";
import { checkCount } from "./subsampled-epsilon.ts";

/** One pass or several of projected noisy gradient descent whose last iterate alone is released. */
export interface NoisyIteration {
  /** Steps x ← Π(x − learningRate·(∇fᵢ(x) + N(0, sigma²·I))), Π the projection to a convex set (or the identity). */
  readonly steps: number;
  /** The steps, counted from 1, whose loss fᵢ is the unit's. */
  readonly uses: readonly number[];
  /** Noise added to the gradient, per coordinate. */
  readonly sigma: number;
  /**
   * A bound of the distance between the gradients of two neighbours at one point: 2L under replace-one when every fᵢ is
   * L-Lipschitz; L under add-or-remove-one when a step without the unit has gradient 0.
   */
  readonly gradientSensitivity: number;
  readonly learningRate: number;
  /** β: every fᵢ is convex and has a β-Lipschitz gradient. A clipped gradient has not. */
  readonly smoothness: number;
  /** Stated by the caller; anything but true is refused. */
  readonly convex: boolean;
}

const up = 1 + 2 ** -48;

/**
 * ρ such that releasing the last of `steps` iterates is ρ-zCDP for the unit. Each step is a contraction when
 * learningRate ≤ 2/β. A unit used at step t alone gets  ρ = Δ²/(2σ²·(steps − t + 1)), Δ the gradient sensitivity; with
 * more uses ρ = Σ aᵢ²/(2σ²) for the cheapest admissible shifts aᵢ, the slopes of the greatest convex minorant of the
 * number of uses so far. Never above composition, Δ²·uses/(2σ²). Proof: ./noisy-iteration.proof.md
 * Source: Feldman, Mironov, Talwar & Thakurta 2018 (arXiv 1808.06651), Thm 22 and 23 (C §3).
 * Direction: upper.
 * Errors: parameter.invalid, by name, where convexity, smoothness·learningRate ≤ 2, or a domain fails.
 * @example
 * noisyIterationRho({ steps: 100, uses: [1], sigma: 4, gradientSensitivity: 2, learningRate: 0.5, smoothness: 1, convex: true })
 * // => 0.00125
 */
export function noisyIterationRho(run: NoisyIteration): number {
  checkRun(run);
  const uses = checkedUses(run.uses, run.steps);
  if (uses.length === 0 || run.gradientSensitivity === 0) return 0;
  const step = (run.gradientSensitivity / run.sigma) * up;
  return ((step * step * squaredSlopes(uses, run.steps)) / 2) * up;
}

/**
 * The Rényi divergence at an order, D_α, for a unit that is used once, at a step drawn uniformly and kept secret (the
 * order of the units is a random permutation): ln(mean over t of e^((α−1)·α·ρ_t))/(α − 1), ρ_t as in
 * {@link noisyIterationRho}. `uses` is not read.
 * Source: Feldman, Mironov, Talwar & Thakurta 2018, Thm 23, with the joint convexity of (p/q)^α·q.
 * Direction: upper.
 * Errors: as noisyIterationRho; parameter.invalid unless order > 1.
 */
export function noisyIterationAveraged(run: Omit<NoisyIteration, "uses">, order: number): number {
  checkRun(run);
  if (!(order > 1 && order < Number.POSITIVE_INFINITY)) {
    throw invalidParameter("order", order, "above 1 and finite");
  }
  const step = (run.gradientSensitivity / run.sigma) * up;
  const top = (((order - 1) * order * step * step) / 2) * up;
  if (!(top < Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
  // Σ over m = steps − t + 1 of e^(top/m − top): one by one, then in blocks of a thousandth, each at its first term.
  let total = 0;
  for (let m = 1; m <= run.steps; ) {
    const block = Math.min(m < 65_536 ? 1 : Math.floor(m / 1024), run.steps - m + 1);
    total += block * Math.exp(top / m - top);
    m += block;
  }
  // The sum has relative error 2^-36 at most; ln of it moves by as much.
  const exponent = top + Math.log(total / run.steps) + 2 ** -36;
  const cap = top * up;
  return (Math.min(cap, Math.max(0, exponent) * up) / (order - 1)) * up;
}

/** Σ aᵢ² of the greatest convex minorant of S, S(i) = uses up to step i, on 0 ≤ i ≤ steps. */
function squaredSlopes(uses: readonly number[], steps: number): number {
  // The minorant touches S only just before a use, and at the ends: at (t − 1, uses before t).
  const points: { readonly x: number; readonly y: number }[] = [];
  const push = (x: number, y: number): void => {
    for (;;) {
      const last = points.at(-1);
      const before = points.at(-2);
      if (last === undefined || before === undefined) break;
      // Keep `last` only below the chord from `before` to the new point.
      if ((last.y - before.y) * (x - before.x) < (y - before.y) * (last.x - before.x)) break;
      points.pop();
    }
    points.push({ x, y });
  };
  push(0, 0);
  uses.forEach((t, before) => {
    if (t > 1) push(t - 1, before);
  });
  push(steps, uses.length);
  let total = 0;
  for (const [i, b] of points.slice(1).entries()) {
    const a = elementAt(points, i);
    total += (b.y - a.y) ** 2 / (b.x - a.x);
  }
  return total * (1 + points.length * 2 ** -50);
}

function checkRun(run: Omit<NoisyIteration, "uses">): void {
  checkCount("steps", run.steps, 1);
  const positive = (name: "sigma" | "learningRate"): void => {
    const value = run[name];
    if (!(value > 0 && value < Number.POSITIVE_INFINITY))
      throw invalidParameter(name, value, "> 0 and finite");
  };
  positive("sigma");
  positive("learningRate");
  const bounded = (name: "gradientSensitivity" | "smoothness"): void => {
    const value = run[name];
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY))
      throw invalidParameter(name, value, "≥ 0 and finite");
  };
  bounded("gradientSensitivity");
  bounded("smoothness");
  if (run.convex !== true)
    throw invalidParameter("convex", run.convex, "true: steps on other losses do not contract");
  if (!(run.learningRate * run.smoothness <= 2)) {
    throw invalidParameter(
      "learningRate",
      run.learningRate,
      "at most 2/smoothness, or steps do not contract",
    );
  }
}

function checkedUses(uses: readonly number[], steps: number): readonly number[] {
  const sorted = [...uses].sort((a, b) => a - b);
  sorted.forEach((t, i) => {
    if (!(Number.isSafeInteger(t) && t >= 1 && t <= steps)) {
      throw invalidParameter("uses", t, "steps from 1 to the number of steps");
    }
    if (t === sorted[i - 1]) throw invalidParameter("uses", t, "different steps");
  });
  return sorted;
}
