/**
 * The expected excess after T steps of Frank–Wolfe with steps 2/(t + 2), when each chooses a vertex whose score is on average within `miss` of the best:
 *   2C/(T + 2) + miss,   C ≤ β·(2r)² the curvature of the loss over the ℓ1 ball.
 * Source: Jaggi 2013, Thm 1; Talwar, Thakurta & Zhang 2015 (arXiv 1411.5417); derived in ./frank-wolfe.proof.md.
 * Direction: upper.
 * @example frankWolfeExcess({ smoothness: 1, radius: 1, steps: 78, miss: 0.05 }) // => 0.15
 */
export function frankWolfeExcess(run: {
  readonly smoothness: number;
  readonly radius: number;
  readonly steps: number;
  readonly miss: number;
}): number {
  const { smoothness, radius, steps, miss } = run;
  return (2 * smoothness * (2 * radius) ** 2) / (steps + 2) + miss;
}

/**
 * How far below the best score the exponential mechanism's choice among m candidates lies on average, at most: (1 + ln(m − 1))/rate.
 * Source: McSherry & Talwar 2007, Thm 6, its tail integrated; derived in ./frank-wolfe.proof.md.
 * Direction: upper.
 * @example meanMiss({ rate: 0.5, candidates: 2 }) // => 2
 */
export function meanMiss({
  rate,
  candidates,
}: {
  readonly rate: number;
  readonly candidates: number;
}): number {
  return (1 + Math.log(candidates - 1)) / rate;
}
