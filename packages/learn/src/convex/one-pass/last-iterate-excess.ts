/**
 * The expected excess of the last point of T constant steps at which a fresh unbiased gradient can be taken, E|gradient + noise|² ≤ G²:
 *   D²/(2ηT) + (ηG²/2)·(1 + 1 + ½ + … + 1/(T−1)).
 * A slack τ a step adds (4rτ + τ²)/η to ηG². The step after the last is never taken: the point itself is what leaves.
 * Source: Shamir & Zhang 2013, Thm 1, for constant steps; derived in ./one-pass.proof.md.
 * Direction: upper.
 * @example lastIterateExcess({ distance: 1, radius: 1, secondMoment: 1, steps: 100, stepSize: 0.05, slack: 0 }) // => 0.254
 */
export function lastIterateExcess(run: {
  readonly distance: number;
  readonly radius: number;
  readonly secondMoment: number;
  readonly steps: number;
  readonly stepSize: number;
  readonly slack: number;
}): number {
  const { distance, radius, secondMoment, steps, stepSize, slack } = run;
  const perStep = stepSize * secondMoment + (4 * radius * slack + slack ** 2) / stepSize;
  return distance ** 2 / (2 * stepSize * steps) + (perStep / 2) * (1 + harmonic(steps - 1));
}

/** At least 1 + 1/2 + … + 1/n. */
export function harmonic(n: number): number {
  let total = 0;
  const exact = Math.min(n, 1000);
  for (let i = 1; i <= exact; i += 1) total += 1 / i;
  // Σ over i > m of 1/i is at most ∫ from m on.
  return n > exact ? total + Math.log(n / exact) : total;
}
