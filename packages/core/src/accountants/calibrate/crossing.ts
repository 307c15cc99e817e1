/** A function of x > 0 that grows or falls, known to a side: `excess` > 0 above the target, ≤ 0 at or below it. */
export interface Crossing {
  /** ln(value/target); ±∞ where the value is 0 or infinite, never NaN. */
  excess(x: number): number;
  readonly grows: boolean;
  /** The first x to try; `least` and `most` are the ends of the interval that x may not leave. */
  readonly start: number;
  readonly least: number;
  readonly most: number;
  /** d ln(value)/d ln x, about; only the number of evaluations depends on it. */
  readonly slope?: number;
  /** Ends that are this close, relative, are enough. */
  readonly tolerance: number;
  /** Rounds to what may be asked, such as whole numbers. */
  readonly round?: (x: number) => number;
}

export interface Crossed {
  /** The x at or below the target nearest to the crossing; null where none was found. */
  readonly within: number | null;
  /** The x above the target nearest to the crossing; null where all is within. */
  readonly beyond: number | null;
  readonly slope: number;
}

const mostEvaluations = 120;

/**
 * Both sides of the place where a monotone function passes a target, to a relative tolerance. Secant steps on ln value against
 * ln x, each aimed a little past the crossing so that the bracket closes from both ends; bisection where a step gains too little.
 * About six evaluations for a smooth function and a start within a factor of two.
 */
export function cross(problem: Crossing): Crossed {
  const { grows, tolerance, least, most, round = (x) => x } = problem;
  // With u = ±ln x the excess always falls: a is the end above the target, b the end within.
  const sign = grows ? -1 : 1;
  const [bottom, top] = grows ? [-Math.log(most), -Math.log(least)] : [Math.log(least), Math.log(most)];
  const xOf = (u: number): number => Math.min(most, Math.max(least, round(Math.exp(sign * u))));
  const uOf = (x: number): number => sign * Math.log(x);
  // A whole number has its neighbour no closer than one.
  const fineness = (u: number): number => (problem.round ? Math.max(tolerance, 1.2 / xOf(u)) : tolerance);
  const done = (a: number, b: number): boolean => Math.abs(xOf(a) - xOf(b)) <= tolerance * Math.abs(xOf(b));

  let slope = -Math.abs(problem.slope ?? 1);
  let a: Point | null = null;
  let b: Point | null = null;
  let last: Point | null = null;
  let stride = 0.5;
  let stalled = 0;
  let u = uOf(xOf(uOf(problem.start)));
  for (let step = 0; step < mostEvaluations; step += 1) {
    const x = xOf(u);
    const y = problem.excess(x);
    const side: "a" | "b" = y > 0 ? "a" : "b";
    const point: Point = { u: uOf(x), y };
    if (last && Number.isFinite(y) && Number.isFinite(last.y) && point.u !== last.u) {
      const measured: number = (y - last.y) / (point.u - last.u);
      if (measured < 0) slope = Math.max(-16, Math.min(-1 / 16, measured));
    }
    const width = a && b ? b.u - a.u : Number.POSITIVE_INFINITY;
    last = point;
    if (side === "a") a = point;
    else b = point;
    if (a && b) {
      if (done(a.u, b.u)) break;
      stalled = b.u - a.u > 0.6 * width ? stalled + 1 : 0;
      u = stalled > 3 ? (a.u + b.u) / 2 : inside(a, b, slope, fineness(b.u));
      if (xOf(u) === xOf(a.u) || xOf(u) === xOf(b.u)) u = (a.u + b.u) / 2;
      if (xOf(u) === xOf(a.u) || xOf(u) === xOf(b.u)) break;
      continue;
    }
    // One side only: go to the other, as far as the slope says and a little more, or in growing strides.
    const known = point;
    const away = side === "a" ? 1 : -1;
    if ((away > 0 && known.u >= top) || (away < 0 && known.u <= bottom)) break;
    const aimed = Number.isFinite(known.y)
      ? Math.abs(known.y / slope) * 1.02 + 2 * fineness(known.u)
      : stride;
    u = Math.min(top, Math.max(bottom, known.u + away * Math.min(Math.max(aimed, tolerance), 8)));
    if (xOf(u) === xOf(known.u)) u = away > 0 ? top : bottom;
    stride *= 2;
  }
  return {
    within: b === null ? null : xOf(b.u),
    beyond: a === null ? null : xOf(a.u),
    slope: sign * slope,
  };
}

interface Point {
  readonly u: number;
  readonly y: number;
}

/**
 * The next place between a (above) and b (within): along the slope from the end that is nearer to the target, or where the chord
 * crosses; half a tolerance further, so that it lands on the other side.
 */
function inside(a: Point, b: Point, slope: number, fineness: number): number {
  const middle = (a.u + b.u) / 2;
  const margin = 0.3 * fineness;
  const clamped = (u: number): number => Math.min(b.u - margin, Math.max(a.u + margin, u));
  const near = Math.abs(a.y) < Math.abs(b.y) ? a : b;
  if (!Number.isFinite(near.y)) return middle;
  const along = near.u - near.y / slope;
  if (along > a.u && along < b.u)
    return clamped(near === a ? along + 0.45 * fineness : along - 0.45 * fineness);
  if (!Number.isFinite(a.y) || !Number.isFinite(b.y)) return middle;
  const chord = a.u + ((b.u - a.u) * a.y) / (a.y - b.y);
  return clamped(chord < middle ? chord + 0.45 * fineness : chord - 0.45 * fineness);
}
