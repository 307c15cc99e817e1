import { invalidParameter } from "../../../errors/lethe-error.ts";
import { erfcx } from "../../../numeric/special/erfcx.ts";
import { ndtr } from "../../../numeric/special/ndtr.ts";
import { ndtri } from "../../../numeric/special/ndtri.ts";
import type { Bounds, PrivacyCurve } from "../../measures/privacy-curve.ts";
import type { Interval } from "../search/direction.ts";
import { greatestBelow, leastWhere } from "../search/monotone-search.ts";
import { checkAlpha, checkDelta, checkEpsilon } from "./domains.ts";

const unit = Number.EPSILON / 2;
const provenance = { lower: "gaussian, Balle–Wang 2018 Thm 8", upper: "gaussian, Balle–Wang 2018 Thm 8" };

/**
 * δ(ε) = Q(ε/μ − μ/2) − e^ε·Q(ε/μ + μ/2) of N(μ, 1) against N(0, 1), between doubles that hold its rounding; `mu` may be off by
 * 4 ulp. Errors: parameter.invalid unless μ ≥ 0.
 * Source: Balle & Wang 2018 (arXiv 1805.06530), Thm 8; Dong, Roth & Su 2022, eq. 6
 * Direction: exact
 * @example gaussianCurve(1).delta(1) // 0.126936737507
 */
export function gaussianCurve(mu: number): PrivacyCurve {
  if (!(mu >= 0 && mu < Number.POSITIVE_INFINITY)) throw invalidParameter("mu", mu, "a finite number ≥ 0");
  const delta = (epsilon: number): Interval => gaussianDelta(mu, epsilon);
  const bounds = ({ lower, upper }: Interval): Bounds => ({ lower, upper, provenance });
  return {
    delta: (epsilon) => {
      checkEpsilon(epsilon);
      return bounds(delta(epsilon));
    },
    epsilon: (target) => {
      checkDelta(target);
      if (mu === 0) return bounds({ lower: 0, upper: 0 });
      if (target === 0) return bounds({ lower: Number.POSITIVE_INFINITY, upper: Number.POSITIVE_INFINITY });
      const start = mu * (mu / 2 + Math.sqrt(-2 * Math.log(target)) + 1);
      const upper = leastWhere((epsilon) => delta(epsilon).upper <= target, start, Number.POSITIVE_INFINITY);
      const lower = greatestBelow(
        (epsilon) => delta(epsilon).lower > target,
        start,
        Number.POSITIVE_INFINITY,
      );
      return bounds({ lower: Math.min(lower, upper), upper });
    },
    tradeoff: (alpha) => {
      checkAlpha(alpha);
      if (alpha === 0 || alpha === 1 || mu === 0) return bounds({ lower: 1 - alpha, upper: 1 - alpha });
      // f(α) = Φ(Φ⁻¹(1 − α) − μ) (Dong, Roth & Su 2022, eq. 6).
      const z = -ndtri(alpha) - mu;
      const value = ndtr(z);
      const relative = 16 * unit * (1 + Math.abs(z)) * (1 + Math.abs(z) + 2 * mu) + 1e-14;
      return bounds({
        lower: Math.max(0, value * (1 - relative) - Number.MIN_VALUE),
        upper: Math.min(1 - alpha, value * (1 + relative) + Number.MIN_VALUE),
      });
    },
  };
}

function gaussianDelta(mu: number, epsilon: number): Interval {
  if (mu === 0) return { lower: 0, upper: 0 };
  const near = epsilon / mu - mu / 2;
  const far = epsilon / mu + mu / 2;
  // Where either is that large, Q(near) alone says it.
  if (!(Number.isFinite(far) && far * far < 1e300))
    return near > 0 ? { lower: 0, upper: 1e-300 } : { lower: 0, upper: 1 };
  const shift = 8 * unit * far;
  const tail = Math.exp(-0.5 * near * near);
  const farPart = 0.5 * tail * erfcx(far * Math.SQRT1_2);
  const nearPart = near > 0 ? 0.5 * tail * erfcx(near * Math.SQRT1_2) : ndtr(-near);
  const value = nearPart - farPart;
  // Each part to 1e-14 and e^{−near²/2} to the rounding of its exponent; then the shift of the arguments, d ln/d near ≤ |near| + 1.
  const slack =
    (nearPart + farPart) * (2e-14 + (4 * near * near + 8) * unit + 2 * shift * (Math.abs(near) + 1));
  return {
    lower: Math.max(0, value - slack - 1e-300),
    upper: Math.min(1, Math.max(0, value) + slack + 1e-300),
  };
}
