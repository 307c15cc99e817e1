/** eˣ − 1 − x ≥ 0, relative error below 1e-15: the series where the difference would cancel. */
export function expExcess(x: number): number {
  if (Math.abs(x) > 1) return Math.expm1(x) - x;
  let term = (x * x) / 2;
  let total = 0;
  for (let n = 3; Math.abs(term) > 1e-18 * total && term !== 0; n++) {
    total += term;
    term *= x / n;
  }
  return total === 0 && x !== 0 ? Number.MIN_VALUE : total;
}

/**
 * (1 + x)^α − 1 − αx ≥ 0 for x ≥ −1 and α > 1 (Bernoulli's inequality), relative error below 1e-14 where it is finite: the
 * second-order part of a power, from which Rényi divergences are summed without cancellation.
 * @example powerExcess(2, 1e-9) // => 1e-18
 */
export function powerExcess(alpha: number, x: number): number {
  const y = alpha * x;
  if (Math.abs(y) < 0.5 && Math.abs(x) < 0.5) {
    // Σ_{j≥2} C(α, j) xʲ; the ratio of terms is below 1/2.
    let term = (alpha * (alpha - 1) * x * x) / 2;
    let total = 0;
    for (let j = 2; Math.abs(term) > 1e-18 * Math.abs(total) && term !== 0; j++) {
      total += term;
      term *= ((alpha - j) * x) / (j + 1);
    }
    // Where the square underflows, the smallest number above 0: never too little.
    return total === 0 && x !== 0 ? Number.MIN_VALUE : total;
  }
  const nearOne = alpha - 1;
  if (nearOne < 0.01) {
    // (1+x)·((1+x)^(α−1) − 1) − (α−1)·x = (α−1)·[(1+x)·log(1+x) − x] + (1+x)·expExcess((α−1)·log(1+x)).
    if (x === -1) return nearOne;
    const log = Math.log1p(x);
    return nearOne * entropyExcess(x) + (1 + x) * expExcess(nearOne * log);
  }
  return x === -1 ? nearOne : Math.expm1(alpha * Math.log1p(x)) - y;
}

/** (1 + x)·log(1 + x) − x ≥ 0 for x ≥ −1: what powerExcess tends to, per unit of α − 1. */
export function entropyExcess(x: number): number {
  if (x === -1) return 1;
  if (Math.abs(x) > 0.25) return (1 + x) * Math.log1p(x) - x;
  let power = x * x;
  let total = 0;
  for (let n = 2; Math.abs(power) > 1e-18 * Math.abs(total) * n; n++) {
    total += (n % 2 === 0 ? power : -power) / (n * (n - 1));
    power *= x;
  }
  return total;
}

/** log of powerExcess(α, x), given log(1 + x) too: where the power, or even x, would overflow. */
export function logPowerExcess(alpha: number, x: number, logOnePlusX: number): number {
  const power = alpha * logOnePlusX;
  if (power < 500) return Math.log(powerExcess(alpha, x));
  if (power === Number.POSITIVE_INFINITY) return power;
  // (1+x)^α·(1 − α(1+x)^(1−α)) + (α − 1).
  return power + Math.log(-alpha * Math.expm1(-(alpha - 1) * logOnePlusX) - (alpha - 1));
}
