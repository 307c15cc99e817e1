const halfLogTwoPi = 0.9189385332046728;

/**
 * log of step·Σ e^(logTerm(z))/√(2π) over the nodes z = from + k·step up to `to`, and beyond both ends as far as the terms
 * count, with a geometric bound on what is left out. For integrals of e^(logTerm)·dz/√(2π) with Gaussian tails.
 */
export function trapezoidLogSum(
  logTerm: (z: number) => number,
  from: number,
  to: number,
  step: number,
): number {
  let peak = Number.NEGATIVE_INFINITY;
  let total = 0;
  const include = (log: number): void => {
    if (log > peak) {
      total = total * Math.exp(peak - log) + 1;
      peak = log;
    } else if (log > peak - 745) {
      total += Math.exp(log - peak);
    }
  };
  const nodes = Math.ceil((to - from) / step);
  for (let k = 0; k <= nodes; k++) include(logTerm(from + k * step));
  for (const direction of [-1, 1]) {
    let z = direction < 0 ? from : from + nodes * step;
    let before = logTerm(z);
    for (let k = 0; k < 1_000_000; k++) {
      z += direction * step;
      const log = logTerm(z);
      include(log);
      // Falling faster and faster, and below 1e-17 of the sum: the rest is less than ratio/(1 − ratio) of the last term.
      if (log < before - 0.05 && log < peak - 42) {
        include(log + log - before - Math.log(-Math.expm1(log - before)));
        break;
      }
      if (log === Number.NEGATIVE_INFINITY) break;
      before = log;
    }
  }
  return peak + Math.log(total) + Math.log(step) - halfLogTwoPi;
}
