/** P[Z > x] of a standard normal: below 3 by the series of Φ − ½, beyond by Laplace's continued fraction. */
export function above(x: number): number {
  if (x < 0) return 1 - above(-x);
  return x < 3 ? 0.5 - density(x) * series(x) : density(x) * fraction(x);
}

/** P[low < Z ≤ high], by the tail that is nearer: differences of numbers near 1 would have no digits left. */
export function between(low: number, high: number): number {
  if (!(low < high)) return 0;
  if (low > 0) return above(low) - above(high);
  if (high < 0) return above(-high) - above(-low);
  return 1 - above(high) - above(-low);
}

/** The x with P[Z > x] = chance: Hastings' approximation, made exact by Halley's method. */
export function exceededWith(chance: number): number {
  if (chance > 0.5) return -exceededWith(1 - chance);
  const t = Math.sqrt(-2 * Math.log(chance));
  let x =
    t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (let turn = 0; turn < 3; turn += 1) {
    const miss = (above(x) - chance) / density(x);
    x += miss / (1 - (x * miss) / 2);
  }
  return x;
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}

/** x + x³/3 + x⁵/(3·5) + … */
function series(x: number): number {
  let [term, sum] = [x, x];
  for (let odd = 3; term > 1e-18 * sum; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return sum;
}

/** 1/(x + 1/(x + 2/(x + 3/(x + …)))) */
function fraction(x: number): number {
  let value = x;
  // Nearer to 0 it takes more of them.
  for (let place = Math.ceil(20 + 600 / (x * x)); place >= 1; place -= 1) value = x + place / value;
  return 1 / value;
}
