import { erfc, erfcx } from "../../numeric/special/index.ts";

/** u ↦ P[V ≥ u]. */
export type Tail = (u: number) => number;

/**
 * The tail of V = Σ Laplace(scaleᵢ) + Normal(0, sigma²), all independent.
 *
 * Partial fractions of the characteristic function Π 1/(1 + bᵢ²t²) make the Laplace sum a signed mixture of Laplace laws
 * with weights wᵢ = Π_{j≠i} bᵢ²/(bᵢ² − bⱼ²). Scales closer than 1 part in 256 (of more than four: in 64) are pulled apart
 * upward, which only widens V (a larger scale is less peaked, Birnbaum 1948) and keeps the weights small.
 * Source: partial fractions of the characteristic function; Birnbaum 1948 for scales pulled apart.
 * Direction: upper, never below the true tail.
 */
export function continuousTail(scales: readonly number[], sigma: number): Tail {
  const parts = mixture(scales);
  if (parts.length === 0) return (u) => 0.5 * erfc((u / sigma) * Math.SQRT1_2);
  const tailAbove = (u: number): number => {
    let total = 0;
    for (const { weight, scale } of parts) total += weight * oneTail(u, scale, sigma);
    return total;
  };
  return (u) => (u >= 0 ? tailAbove(u) : 1 - tailAbove(-u));
}

/** Returns a bound on the rounding error of a tail of so many scales, at the largest weights they can have. */
export function tailRounding(scales: number): number {
  return scales < 4 ? 1e-12 : 4e-7;
}

function mixture(scales: readonly number[]): { weight: number; scale: number }[] {
  const apart: number[] = [];
  const step = 1 + 2 ** (scales.length > 4 ? -6 : -8);
  for (const scale of [...scales].sort((a, b) => a - b)) {
    apart.push(Math.max(scale, (apart.at(-1) ?? 0) * step));
  }
  return apart.map((scale, i) => ({
    scale,
    weight: apart.reduce((w, other, j) => (i === j ? w : w / (1 - (other / scale) ** 2)), 1),
  }));
}

/** P[Laplace(b) + sigma·N ≥ u] for u ≥ 0; written with erfcx so that no large exponential meets a small tail. */
function oneTail(u: number, b: number, sigma: number): number {
  if (sigma === 0) return 0.5 * Math.exp(-u / b);
  const x = u / sigma;
  const r = sigma / b;
  const bell = 0.25 * Math.exp(-0.5 * x * x);
  const rising =
    x > r
      ? 0.5 * Math.exp(r * (0.5 * r - x)) * (1 - 0.5 * erfc((x - r) * Math.SQRT1_2))
      : bell * erfcx((r - x) * Math.SQRT1_2);
  return 0.5 * erfc(x * Math.SQRT1_2) + rising - bell * erfcx((x + r) * Math.SQRT1_2);
}
