import { invalidParameter } from "../../errors/lethe-error.ts";
import { erf } from "./erfc.ts";
import { erfcx } from "./erfcx.ts";
import { logNdtr } from "./ndtr.ts";

const sqrtTwoOverPi = 0.7978845608028654;
const sqrtPiOverTwo = 1.2533141373155003;

/**
 * The standard normal quantile Φ⁻¹(p), relative error near 1e-15 for every p in (0, 1), the smallest double included;
 * ∓∞ at 0 and 1. Errors: parameter.invalid outside [0, 1].
 * @example ndtri(0.975) // => 1.959963984540054
 */
export function ndtri(p: number): number {
  if (!(p >= 0 && p <= 1)) throw invalidParameter("p", p, "a probability in [0, 1]");
  // 1 − p is exact here (Sterbenz).
  if (p > 0.5) return -ndtri(1 - p);
  return p < 0.1 ? ndtriExp(Math.log(p)) : centralQuantile(p);
}

/**
 * The x ≤ 0 with log Φ(x) = logP, for logP ≤ −log 2: the quantile of probabilities too small for a double.
 * Errors: parameter.invalid above −log 2 (there, use {@link ndtri}).
 * @example ndtriExp(-5005.524208694205) // => -100
 */
export function ndtriExp(logP: number): number {
  if (!(logP <= -Math.LN2)) throw invalidParameter("logP", logP, "at most −log 2");
  if (logP === Number.NEGATIVE_INFINITY) return logP;
  let x = -firstGuess(Math.log(4) + logP + Math.log1p(-Math.exp(logP)));
  // Halley's step on f(x) = log Φ(x) − logP, with f′ = φ/Φ and f″ = −f′·(x + f′).
  for (let step = 0; step < 8; step++) {
    const slope = sqrtTwoOverPi / erfcx(-x * Math.SQRT1_2);
    const newton = (logNdtr(x) - logP) / slope;
    const move = newton / (1 + 0.5 * newton * (x + slope));
    x -= move;
    if (Math.abs(move) <= 1e-12 * Math.abs(x)) break;
  }
  return x;
}

/** Around the middle: solves erf(x/√2) = 2p − 1, whose right side is exact. */
function centralQuantile(p: number): number {
  const y = 2 * (p - 0.5);
  let x = Math.sign(y) * firstGuess(Math.log1p(-y * y));
  for (let step = 0; step < 4; step++) {
    const newton = (erf(x * Math.SQRT1_2) - y) * sqrtPiOverTwo * Math.exp(0.5 * x * x);
    const move = newton / (1 + 0.5 * newton * x);
    x -= move;
    if (Math.abs(move) <= 1e-12 * Math.abs(x)) break;
  }
  return x;
}

/** |Φ⁻¹(p)| from log(4p(1−p)) to about one percent (Winitzki 2008), a start for Halley's step. */
function firstGuess(logOfProduct: number): number {
  const a = 0.147;
  const t = 2 / (Math.PI * a) + 0.5 * logOfProduct;
  // √(t² − ℓ/a) − t, written so that it does not cancel near the middle.
  const root = Math.sqrt(t * t - logOfProduct / a);
  return Math.SQRT2 * Math.sqrt(t > 0 ? -logOfProduct / a / (root + t) : root - t);
}
