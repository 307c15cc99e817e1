import { elementAt } from "../../numeric/elements/element-at.ts";
import { multiply, ratio, subtract, toDouble } from "../../numeric/rational.ts";
import { exactAlpha } from "../laws/noise-quantile.ts";
import { quantileOfAdded, scaleOfDraw } from "../laws/noise-sum-law.ts";
import { averageSets, checkedHalf } from "./average-interval.ts";
import { intersect } from "./confidence-interval.ts";
import { farthest, minus, nearest, only, plus, scaledBy, squared, times } from "./range-arithmetic.ts";
import { type SlopeMeasured, type SlopeSetting, slopeIntervals } from "./slope-interval.ts";
import { varianceIntervals } from "./variance-interval.ts";

/** The measurements of the intercept of a line: those of its slope; `mid` is the middle of x, from which its integers are counted. */
export interface InterceptSetting extends SlopeSetting {
  readonly mid: bigint;
}

/**
 * Prepares (P̃, S̃, T̃, Q̃, C̃) ↦ the range of l − b·(m + mid), what the line of least squares is at x = 0 less y's middle, in y's grid
 * units, or null where the noise does not separate the variance from 0. Totals, m, l and b are those of {@link slopeIntervals}.
 *
 * Two totals are 0 for every data, whose noisy ones are therefore noise, with h = m + mid and a the intercept less y's middle:
 *   F = T − a·C − b·(S + mid·C)       G = P − m·T − l·S + m·l·C − b·(Q − 2m·S + (m² + offset)·C)
 * and F − λ·G is a pivot for every λ. With λ = h/variance it moves with b, to first order, by nothing:
 *   F̃ − λ·G̃ = C̃·(â − a) + (b − b̂)·(λ·Ṽ − ĥ·C̃) − λ·A·(B − b·A)/C̃
 * where Ṽ = Q̃ + offset·C̃ − S̃²/C̃, ĥ = S̃/C̃ + mid, b̂ = (P̃ − S̃·T̃/C̃)/Ṽ and â = T̃/C̃ − b̂·ĥ; and it is the noise
 *   (1 + λ·m)·N_T − (b + λ·(2b·m − l))·N_S − (l − b·m + λ·(m·l − b·(m² + offset)))·N_C − λ·N_P + λ·b·N_Q.
 * The range is the hull of the a accepted for some m, l, b and variance that their own intervals allow. What it moves with b is
 *   (b − b̂)·(λ·Ṽ − ĥ·C̃) = −(G̃ − A·(B − b·A)/C̃)·(H̃ − λ·A²/C̃)/Ṽ,     H̃ = λ·(Q̃ − 2m·S̃ + (m² + offset)·C̃ − variance·C̃) − A,
 * and two more pivots, G̃/g ± H̃/g′, say that G̃ and H̃, both noise, are not both far off, as in {@link covarianceIntervals}. The
 * chances of error add up (Bonferroni): a 96th of 1 − confidence goes to each of the four intervals, three of those to each of the
 * two pivots beside them, the rest to the sharp one. Coverage ≥ confidence at every group size.
 * Source: a pivot in the manner of Fieller 1954 with its nuisances bounded by six more, joined by Bonferroni's inequality.
 * Direction: upper, coverage never below what is asked.
 * @example interceptIntervals({ half: 30n, otherHalf: 9n, offset: 450n, mid: 30n, productsNoise, sumNoise, otherSumNoise, squaresNoise, countNoise, confidence: 0.95 })
 */
export function interceptIntervals(
  setting: InterceptSetting,
): (measured: SlopeMeasured) => { readonly lower: number; readonly upper: number } | null {
  const [half, otherHalf] = [checkedHalf(setting.half), checkedHalf(setting.otherHalf)];
  const [offset, mid] = [Number(setting.offset), Number(setting.mid)];
  const { productsNoise, squaresNoise, sumNoise, otherSumNoise, countNoise } = setting;
  const alpha = exactAlpha(setting.confidence);
  const part = multiply(alpha, ratio(1n, 96n));
  const confidence = 1 - toDouble(part, "down") * (1 - 1e-9);
  const means = averageSets({ half: setting.half, sumNoise, countNoise }, part);
  const others = averageSets({ half: setting.otherHalf, sumNoise: otherSumNoise, countNoise }, part);
  const slopes = slopeIntervals({ ...setting, confidence });
  const variances = varianceIntervals({ ...setting, population: true, confidence });
  const noises = [productsNoise, squaresNoise, otherSumNoise, sumNoise, countNoise];
  const quantile = quantileOfAdded(noises, subtract(alpha, multiply(part, ratio(10n))));
  const sideQuantile = quantileOfAdded(noises, multiply(part, ratio(3n)));
  // Any units would do, as long as they do not depend on the data.
  const units = {
    products: scaleOfDraw(productsNoise) || 1,
    squares: scaleOfDraw(squaresNoise) || 1,
    sum: scaleOfDraw(sumNoise) || 1,
  };
  return (measured) => {
    const [p, s, t] = [Number(measured.products), Number(measured.sum), Number(measured.otherSum)];
    const [q, c] = [Number(measured.squares), Number(measured.count)];
    const [m, l] = [means.accepted(s, c), others.accepted(t, c)];
    const slope = slopes(measured);
    const variance = variances(measured);
    const spread = q + offset * c - (s * s) / c;
    if (!(c > 0) || m === null || l === null || slope === null) return null;
    if (!(variance.lower > 0 && spread > 0)) return null;
    const b = { lo: slope.lower, hi: slope.upper };
    const h = plus(m, only(mid));
    const lambda = times(h, { lo: 1 / variance.upper, hi: 1 / variance.lower });
    const squares = plus(squared(m), only(offset));
    // The weights of G̃'s noise, in the order of the noises.
    const g = [
      only(1),
      scaledBy(-1, b),
      scaledBy(-1, m),
      minus(scaledBy(2, times(b, m)), l),
      minus(times(m, l), times(b, squares)),
    ];
    const f = [only(0), only(0), only(1), scaledBy(-1, b), minus(times(b, m), l)];
    const radius = quantile(f.map((weight, at) => farthest(minus(weight, times(lambda, elementAt(g, at))))));
    // The unit of H̃ grows with |λ|, so that its weights in that unit are bounded.
    const unit = (x: number): number => Math.hypot(units.squares * x, units.sum);
    const share = { lo: lambda.lo / unit(lambda.lo), hi: lambda.hi / unit(lambda.hi) };
    const inverse = { lo: 1 / unit(farthest(lambda)), hi: 1 / unit(nearest(lambda)) };
    const moved = minus(squares, { lo: variance.lower, hi: variance.upper });
    const k = [
      only(0),
      share,
      only(0),
      scaledBy(-1, plus(scaledBy(2, times(share, m)), inverse)),
      plus(times(share, moved), times(inverse, m)),
    ];
    const side = (sign: 1 | -1): number =>
      sideQuantile(
        g.map((weight, at) =>
          farthest(plus(scaledBy(1 / units.products, weight), scaledBy(sign, elementAt(k, at)))),
        ),
      );
    const [sumReach, gapReach] = [side(1), side(-1)];
    const [hNoisy, bNoisy] = [s / c + mid, (p - (s * t) / c) / spread];
    const [error, otherError] = [plus(only(s), scaledBy(-c, m)), plus(only(t), scaledBy(-c, l))];
    const bent = scaledBy(1 / c, times(error, minus(otherError, times(b, error))));
    const most = { products: units.products, other: unit(farthest(lambda)) };
    // (G̃ − bent)·(H̃ − λ·A²/C̃) is G̃·H̃ but for this much.
    const far = (sumReach + gapReach) / 2;
    const square = farthest(scaledBy(1 / c, times(lambda, squared(error))));
    const rest = farthest(bent) * (far * most.other + square) + square * far * most.products;
    const area = (most.products * most.other) / 4;
    const drift = intersect(
      times(minus(b, only(bNoisy)), minus(scaledBy(spread, lambda), only(hNoisy * c))),
      { lo: -(area * sumReach ** 2 + rest) / spread, hi: (area * gapReach ** 2 + rest) / spread },
    );
    if (drift === null) return null;
    const curved = minus(drift, times(lambda, bent));
    const size =
      (farthest(lambda) + Math.abs((hNoisy * c) / spread)) *
        (Math.abs(p) +
          half * otherHalf * c +
          Math.abs((s * t) / c) +
          (farthest(b) + Math.abs(bNoisy)) * (Math.abs(q) + (half * half + offset) * c + (s * s) / c)) +
      (otherHalf + (farthest(b) + Math.abs(bNoisy)) * (half + Math.abs(mid) + Math.abs(s / c))) * c +
      Math.abs(t);
    const reach = radius + 2 ** -46 * size;
    const least = t / c - bNoisy * hNoisy + (curved.lo - reach) / c;
    const greatest = t / c - bNoisy * hNoisy + (curved.hi + reach) / c;
    return least <= greatest ? { lower: least, upper: greatest } : null;
  };
}
