/** Laplace noises of one scale in a sum; `count` of them. */
export interface LaplaceTerm {
  readonly scale: number;
  readonly count: number;
}

/** The error that the inversion may add to a tail probability. */
const inexact = 1e-9;

/** The quantiles that were found last: intervals of the rows of one answer, and of each answer to one question, ask for the same. */
const recent = new Map<string, number>();
const mostRecent = 4096;

/**
 * An x with P[Σ Lᵢ > x] ≤ alpha for independent Laplace noises, thousands of them and of any scales: above the smallest such
 * x by at most 1 part in 10⁴. The tail comes from the characteristic function φ(u) = Π 1/(1 + scale²u²) by the midpoint rule,
 *   P[X > x] = ½ − (1/π)·Σₖ sin(uₖx)·φ(uₖ)/(k + ½) + e,  uₖ = (k + ½)·Δ,
 * where |e| is at most the tail beyond 2π/Δ − x (by Chernoff's bound) and what the sum leaves out (φ falls).
 * Source: Davies 1973 (with Bohmann's error bound).
 * Direction: upper.
 */
export function laplaceCombinationQuantile(terms: readonly LaplaceTerm[], alpha: number): number {
  const present = terms.filter(({ scale, count }) => scale > 0 && count > 0);
  if (present.length === 0) return 0;
  const name = [alpha, ...present.flatMap(({ scale, count }) => [scale, count])].join(" ");
  const found = recent.get(name) ?? quantileOf(present, alpha);
  recent.set(name, found);
  const [oldest] = recent.keys();
  if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest);
  return found;
}

function quantileOf(present: readonly LaplaceTerm[], alpha: number): number {
  const largest = present.reduce((most, { scale }) => Math.max(most, scale), 0);
  // In units of the largest scale, so that nothing overflows.
  const shares = present.map(({ scale, count }) => ({ square: (scale / largest) ** 2, count }));
  const spread = Math.sqrt(shares.reduce((total, { square, count }) => total + 2 * square * count, 0));
  const logMoment = (t: number): number =>
    shares.reduce((total, { square, count }) => total - count * Math.log1p(-square * t * t), 0);
  const far = chernoff(logMoment, inexact / 4);
  const most = alpha - inexact;
  if (!(most > inexact)) return largest * chernoff(logMoment, alpha);

  // No x that is asked about lies beyond `far`.
  const step = Math.PI / far;
  const heights: number[] = [];
  for (let k = 0; ; k += 1) {
    const u = (k + 0.5) * step;
    const log = shares.reduce((total, { square, count }) => total - count * Math.log1p(square * u * u), 0);
    const height = Math.exp(log);
    heights.push(height / (k + 0.5));
    // Beyond u, φ falls at least as 1/(1 + u²): the rest of the sum is below φ(u)·(1 + 1/u²)/2.
    if (height * (1 + 1 / (u * u)) < inexact) break;
  }
  const tail = (x: number): number => {
    // sin((k + ½)·a) by the angle-addition recurrence.
    const angle = step * x;
    const twice = 2 * Math.cos(angle);
    let [before, now] = [-Math.sin(angle / 2), Math.sin(angle / 2)];
    let total = 0;
    for (const height of heights) {
      total += now * height;
      [before, now] = [now, twice * now - before];
    }
    return 0.5 - total / Math.PI;
  };
  let [low, high] = [0, Math.min(far, chernoff(logMoment, alpha))];
  while (high - low > 1e-4 * spread) {
    const middle = (low + high) / 2;
    if (tail(middle) <= most) high = middle;
    else low = middle;
  }
  return largest * high;
}

/**
 * A quick x with P[Σ Lᵢ > x] ≤ alpha, above the quantile by a third or so: Chernoff's bound at one likely t.
 * Source: Chernoff 1952, for the moment generating function of Laplace noise.
 * Direction: upper.
 */
export function laplaceCombinationBound(terms: readonly LaplaceTerm[], alpha: number): number {
  const largest = terms.reduce((most, { scale }) => Math.max(most, scale), 0);
  if (!(largest > 0)) return 0;
  const variance = terms.reduce((total, { scale, count }) => total + 2 * scale * scale * count, 0);
  const logs = -Math.log(alpha);
  const t = Math.min(0.9 / largest, Math.sqrt((2 * logs) / variance));
  const moment = terms.reduce(
    (total, { scale, count }) => total - count * Math.log1p(-((scale * t) ** 2)),
    0,
  );
  return ((logs + moment) / t) * (1 + 1e-9);
}

/** An x with P[X > x] ≤ alpha, from E e^(tX) at t in (0, 1). */
function chernoff(logMoment: (t: number) => number, alpha: number): number {
  const logs = -Math.log(alpha);
  const bound = (t: number): number => (logs + logMoment(t)) / t;
  let [low, high] = [0, 1];
  // The bound has one valley; any t of it will do.
  for (let i = 0; i < 60; i += 1) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (bound(a) <= bound(b)) high = b;
    else low = a;
  }
  return bound(low > 0 ? low : high) * (1 + 1e-9);
}
