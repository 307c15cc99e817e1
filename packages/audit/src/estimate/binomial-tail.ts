import { invalidParameter, type Rational, ratio, toDouble } from "@lethe/core";
import {
  add,
  addDown,
  addUp,
  type Bracket,
  divideDown,
  divideUp,
  elementAt,
  expBracket,
  fromDouble,
  lnBracket,
  multiply,
  multiplyDown,
  multiplyUp,
  one,
  subtract,
  subtractDown,
  subtractUp,
} from "@lethe/core/numeric";

/** Two doubles that enclose a probability. */
export interface Chance {
  readonly lo: number;
  readonly hi: number;
}

const bits = 80;
const widen = (a: Bracket, b: Bracket): Bracket => ({ lo: add(a.lo, b.lo), hi: add(a.hi, b.hi) });
const minus = (a: Bracket, b: Bracket): Bracket => ({ lo: subtract(a.lo, b.hi), hi: subtract(a.hi, b.lo) });
const scaled = (n: number, a: Bracket): Bracket => {
  const by = ratio(BigInt(n));
  return { lo: multiply(by, a.lo), hi: multiply(by, a.hi) };
};

const smallFactorials: Bracket[] = [];
/** The least n for which Stirling's series is used, where it is closer than 2^−60. */
const smallest = 400;
/** ln 2π: π lies between these. */
const lnTwoPi: Bracket = {
  lo: lnBracket(multiply(ratio(2n), ratio(314159265358979323846264338327n, 10n ** 29n)), bits).lo,
  hi: lnBracket(multiply(ratio(2n), ratio(314159265358979323846264338328n, 10n ** 29n)), bits).hi,
};

const remembered = new Map<number, Bracket>();

/** ln n!, kept: a bisection asks for the same few again and again. */
function lnFactorial(n: number): Bracket {
  const known = remembered.get(n);
  if (known) return known;
  if (remembered.size > 10_000) remembered.clear();
  const found = computeLnFactorial(n);
  remembered.set(n, found);
  return found;
}

/** ln n!: from the product, or Stirling's alternating series, whose error has the sign and size of the next term. */
function computeLnFactorial(n: number): Bracket {
  if (n < smallest) {
    if (smallFactorials.length === 0) {
      let product = 1n;
      for (let i = 0; i < smallest; i += 1) {
        product *= BigInt(Math.max(1, i));
        smallFactorials.push(lnBracket(ratio(product), bits));
      }
    }
    return elementAt(smallFactorials, n);
  }
  const N = BigInt(n);
  const front = widen(
    scaled(2 * n + 1, lnBracket(ratio(N), bits)),
    widen(lnTwoPi, { lo: ratio(-2n * N), hi: ratio(-2n * N) }),
  );
  const two = subtract(ratio(1n, 12n * N), ratio(1n, 360n * N ** 3n));
  const half = ratio(1n, 2n);
  return {
    lo: add(multiply(half, front.lo), two),
    hi: add(multiply(half, front.hi), add(two, ratio(1n, 1260n * N ** 5n))),
  };
}

/** P[X = k]. */
function mass(k: number, n: number, p: Rational): Chance {
  const choose = minus(lnFactorial(n), widen(lnFactorial(k), lnFactorial(n - k)));
  const log = widen(
    choose,
    widen(scaled(k, lnBracket(p, bits)), scaled(n - k, lnBracket(subtract(one, p), bits))),
  );
  return {
    lo: toDouble(expBracket(log.lo, bits).lo, "down"),
    hi: toDouble(expBracket(log.hi, bits).hi, "up"),
  };
}

/** Σ_{j ≥ k} of the masses, k above the mean: terms fall by a falling ratio. */
function far(k: number, n: number, p: number): Chance {
  const first = mass(k, n, fromDouble(p));
  const [oddsLo, oddsHi] = [divideDown(p, subtractUp(1, p)), divideUp(p, subtractDown(1, p))];
  let [lo, hi, termLo, termHi, rest] = [1, 1, 1, 1, 0];
  for (let j = k; j < n; j += 1) {
    const ratioHi = multiplyUp(divideUp(n - j, j + 1), oddsHi);
    termLo = multiplyDown(termLo, multiplyDown(divideDown(n - j, j + 1), oddsLo));
    termHi = multiplyUp(termHi, ratioHi);
    lo = addDown(lo, termLo);
    hi = addUp(hi, termHi);
    if (termHi < 1e-18 && ratioHi < 0.999999) {
      rest = divideUp(multiplyUp(termHi, ratioHi), subtractDown(1, ratioHi));
      break;
    }
  }
  return { lo: multiplyDown(first.lo, lo), hi: Math.min(1, multiplyUp(first.hi, addUp(hi, rest))) };
}

/**
 * P[Bin(n, p) ≥ k], enclosed: the first mass from exact logarithms, the others by their ratios with directed rounding; the regularised
 * incomplete beta I_p(k, n − k + 1).
 * Direction: enclosed.
 * Errors: parameter.invalid unless 0 ≤ k ≤ n are whole and p is in [0, 1].
 * @example binomialAtLeast(3, 4, 0.5) // => 0.3125
 */
export function binomialAtLeast(k: number, n: number, p: number): Chance {
  if (!(Number.isSafeInteger(n) && n >= 0 && Number.isSafeInteger(k) && k >= 0 && k <= n)) {
    throw invalidParameter("k, n", `${k}, ${n}`, "whole numbers with 0 ≤ k ≤ n");
  }
  if (!(p >= 0 && p <= 1)) throw invalidParameter("p", p, "a chance");
  if (k === 0 || p === 1) return { lo: 1, hi: 1 };
  if (p === 0) return { lo: 0, hi: 0 };
  if (k >= n * p) return far(k, n, p);
  return below(k, n, p);
}

/** P[X ≥ k] = 1 − P[n − X ≥ n − k + 1], k below the mean. 1 − p is not always a double, so it is enclosed. */
function below(k: number, n: number, p: number): Chance {
  const many = far(n - k + 1, n, subtractUp(1, p));
  const few = far(n - k + 1, n, subtractDown(1, p));
  return { lo: Math.max(0, subtractDown(1, many.hi)), hi: Math.min(1, subtractUp(1, few.lo)) };
}
