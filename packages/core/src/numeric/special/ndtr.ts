import { erf } from "./erfc.ts";
import { erfcx } from "./erfcx.ts";

/**
 * The standard normal distribution function Φ(x), relative error below 3e-15 down to its underflow near x = −37.5.
 * @example ndtr(-1.959963984540054) // => 0.025000000000000005
 */
export function ndtr(x: number): number {
  if (Math.abs(x) < 0.25) return 0.5 + 0.5 * erf(x * Math.SQRT1_2);
  return x > 0 ? 1 - ndtr(-x) : 0.5 * expOfHalfSquare(-x) * erfcx(-x * Math.SQRT1_2);
}

/**
 * log Φ(x), relative error below 2e-15 for all x (Φ itself underflows below −38).
 * @example logNdtr(-100) // => -5005.524208694205
 */
export function logNdtr(x: number): number {
  if (x > -0.2) return Math.log1p(-ndtr(-x));
  return Math.log(0.5 * erfcx(-x * Math.SQRT1_2)) - 0.5 * x * x;
}

/** e^(−x²/2) for x ≥ 0, with x² split as in {@link erfcx}. */
function expOfHalfSquare(x: number): number {
  if (!(x < 1e3)) return Number.isNaN(x) ? x : 0;
  const head = Math.round(x * 65536) / 65536;
  return Math.exp(-0.5 * head * head) * Math.exp(-0.5 * (x - head) * (x + head));
}
