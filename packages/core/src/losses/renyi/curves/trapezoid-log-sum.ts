const halfLogTwoPi = 0.9189385332046728;

/** Nodes added up before they join the total: 1024 + nodes/1024 roundings instead of one a node. */
const block = 1024;

/**
 * log of step·Σ e^(logTerm(z))/√(2π) over the nodes z = from + k·step up to `to`, and beyond both ends as far as the terms
 * count, with a geometric bound on what is left out. For integrals of e^(logTerm)·dz/√(2π) with Gaussian tails. `rounding` is what the
 * logarithms of the terms, good to 2^−50·(1 + z²), and the additions may have taken away: to be added by whoever needs a bound.
 */
export function trapezoidLogSum(
  logTerm: (z: number) => number,
  from: number,
  to: number,
  step: number,
): { readonly log: number; readonly rounding: number } {
  let peak = Number.NEGATIVE_INFINITY;
  let [total, blurred, part, blurredPart, added] = [0, 0, 0, 0, 0];
  const join = (): void => {
    [total, blurred, part, blurredPart] = [total + part, blurred + blurredPart, 0, 0];
  };
  const include = (log: number, z: number): void => {
    if (log > peak) {
      join();
      const scale = Math.exp(peak - log);
      [total, blurred, peak] = [total * scale, blurred * scale, log];
    }
    const term = log > peak - 745 ? Math.exp(log - peak) : 0;
    part += term;
    blurredPart += term * (1 + z * z);
    added += 1;
    if (added % block === 0) join();
  };
  const nodes = Math.ceil((to - from) / step);
  for (let k = 0; k <= nodes; k++) include(logTerm(from + k * step), from + k * step);
  for (const direction of [-1, 1]) {
    let z = direction < 0 ? from : from + nodes * step;
    let before = logTerm(z);
    for (let k = 0; k < 1_000_000; k++) {
      z += direction * step;
      const log = logTerm(z);
      include(log, z);
      // Falling faster and faster, and below 1e-17 of the sum: the rest is less than ratio/(1 − ratio) of the last term.
      if (log < before - 0.05 && log < peak - 42) {
        include(log + log - before - Math.log(-Math.expm1(log - before)), z);
        break;
      }
      if (log === Number.NEGATIVE_INFINITY) break;
      before = log;
    }
  }
  join();
  const rounding = 2 ** -50 * (blurred / total) + 2 ** -52 * (block + added / block);
  return { log: peak + Math.log(total) + Math.log(step) - halfLogTwoPi, rounding };
}
