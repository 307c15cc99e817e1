import { ln2Fixed, piFixed } from "./constants.ts";
import type { FixedInterval } from "./fixed-point.ts";
import {
  bitLength,
  fixedQuotient,
  floorSqrt,
  quotientDown,
  quotientUp,
  shiftDown,
  shiftUp,
} from "./fixed-point.ts";

/** Returns Σ r^i/i! for r ∈ [lo, hi] ⊂ [0, 1]: terms are positive, so cutting the lower sum is safe and the upper sum gets its tail. */
export function exponentialSeries(r: FixedInterval, p: number): FixedInterval {
  const one = 1n << BigInt(p);
  let [lo, hi, down, up] = [one, one, one, one];
  for (let i = 1n; up > 1n; i += 1n) {
    down = ((down * r.lo) >> BigInt(p)) / i;
    up = quotientUp(shiftUp(up * r.hi, p), i);
    lo += down;
    hi += up;
  }
  // Each later term is at most half the one before it (r ≤ 1, i ≥ 2), so the tail is at most the last term.
  return { lo, hi: hi + up };
}

/**
 * e^x for x ∈ [lo, hi]·2^−p, at precision p. The true value of both ends lies inside.
 * Reduction: x = k·ln 2 + r, then e^r = (e^{r/2^s})^{2^s}.
 */
export function expFixed(x: FixedInterval, p: number): FixedInterval {
  const lower = expEnds({ lo: x.lo, hi: x.lo }, p);
  const upper = x.hi === x.lo ? lower : expEnds({ lo: x.hi, hi: x.hi }, p);
  return { lo: lower.lo, hi: upper.hi };
}

function expEnds(x: FixedInterval, p: number): FixedInterval {
  const magnitude = Math.max(0, bitLength(x.lo) - p);
  const ln2Coarse = ln2Fixed(magnitude + 64).hi;
  const k = Number(quotientDown(shiftDown(x.lo, p - magnitude - 64), ln2Coarse));
  // e^x < 2^{k+1}·(1 + 2^−64): below 2^−p nothing is left to compute.
  if (k < -p - 2) return { lo: 0n, hi: 1n };
  const halvings = Math.max(2, Math.floor(Math.sqrt(p) / 2));
  const working = p + Math.max(k, 0) + 2 * halvings + 24;
  const ln2 = ln2Fixed(working + magnitude + 8);
  const shift = magnitude + 8;
  let multiple = BigInt(k);
  let r = reduced(x, p, multiple, ln2, working, shift);
  while (r.lo < 0n) r = reduced(x, p, --multiple, ln2, working, shift);
  let power = exponentialSeries({ lo: r.lo >> BigInt(halvings), hi: shiftUp(r.hi, halvings) }, working);
  for (let i = 0; i < halvings; i++) {
    power = { lo: (power.lo * power.lo) >> BigInt(working), hi: shiftUp(power.hi * power.hi, working) };
  }
  const drop = working - p - Number(multiple);
  return { lo: shiftDown(power.lo, drop), hi: shiftUp(power.hi, drop) };
}

/** x − multiple·ln 2 at precision `working`, from ln 2 at precision working + shift. */
function reduced(
  x: FixedInterval,
  p: number,
  multiple: bigint,
  ln2: FixedInterval,
  working: number,
  shift: number,
): FixedInterval {
  const [a, b] = [multiple * ln2.lo, multiple * ln2.hi];
  const rise = working + shift - p;
  return {
    lo: shiftDown(shiftDown(x.lo, -rise) - (a > b ? a : b), shift),
    hi: shiftUp(shiftDown(x.hi, -rise) - (a > b ? b : a), shift),
  };
}

/** ln(num/den) at precision p, num and den > 0: k·ln 2 + 2·atanh((m−1)/(m+1)) with m ∈ [⅔, 3/2]. */
export function lnFixed(num: bigint, den: bigint, p: number): FixedInterval {
  let k = bitLength(num) - bitLength(den);
  let [a, b] = k >= 0 ? [num, den << BigInt(k)] : [num << BigInt(-k), den]; // a/b ∈ (½, 2)
  if (3n * a < 2n * b) {
    a <<= 1n;
    k -= 1;
  } else if (2n * a > 3n * b) {
    b <<= 1n;
    k += 1;
  }
  const working = p + 16;
  const ln2 = ln2Fixed(working + bitLength(BigInt(k)));
  const spread = bitLength(BigInt(k));
  const [low, high] = [BigInt(k) * ln2.lo, BigInt(k) * ln2.hi];
  const whole = {
    lo: shiftDown(low < high ? low : high, spread),
    hi: shiftUp(low < high ? high : low, spread),
  };
  const negative = a < b;
  const u = fixedQuotient(negative ? b - a : a - b, a + b, working);
  const part = arctanhSeries(u, working);
  const sum = negative
    ? { lo: whole.lo - 2n * part.hi, hi: whole.hi - 2n * part.lo }
    : { lo: whole.lo + 2n * part.lo, hi: whole.hi + 2n * part.hi };
  return { lo: shiftDown(sum.lo, 16), hi: shiftUp(sum.hi, 16) };
}

/** Returns Σ u^{2i+1}/(2i+1) for 0 ≤ u ≤ ½. Terms fall by u² ≤ ¼, so the tail is below the last term. */
export function arctanhSeries(u: FixedInterval, p: number): FixedInterval {
  const [squareDown, squareUp] = [(u.lo * u.lo) >> BigInt(p), shiftUp(u.hi * u.hi, p)];
  let [lo, hi, down, up] = [0n, 0n, u.lo, u.hi];
  let i = 1n;
  for (;;) {
    lo += down / i;
    hi += quotientUp(up, i);
    if (up <= 1n) return { lo, hi: hi + up };
    down = (down * squareDown) >> BigInt(p);
    up = shiftUp(up * squareUp, p);
    i += 2n;
  }
}

/** √(num/den) at precision p. */
export function sqrtFixed(num: bigint, den: bigint, p: number): FixedInterval {
  const radicand = num << BigInt(2 * p);
  const lo = floorSqrt(radicand / den);
  return { lo, hi: lo * lo * den === radicand ? lo : lo + 1n };
}

/**
 * Φ(x) − ½ = φ(x)·Σ x^{2i+1}/(2i+1)!!  for x = [lo, hi]·2^−p ≥ 0: a sum of positive terms, no cancellation.
 * Abramowitz & Stegun 26.2.11. Result at precision p; x should carry as many bits as the result is to have.
 */
export function normalCentralFixed(x: FixedInterval, p: number): FixedInterval {
  const bound = Number(x.hi >> BigInt(p)) + 1;
  // The sum is below e^{x²/2}·√(π/2), so φ needs log₂ of that many more bits.
  const working = p + Math.ceil(0.73 * bound * bound) + 48;
  const spare = working - p;
  const wide = { lo: x.lo << BigInt(spare), hi: x.hi << BigInt(spare) };
  const squareDown = (wide.lo * wide.lo) >> BigInt(working);
  const squareUp = shiftUp(wide.hi * wide.hi, working);
  let [lo, hi, down, up] = [0n, 0n, wide.lo, wide.hi];
  for (let i = 3n; ; i += 2n) {
    lo += down;
    hi += up;
    // From here each term is at most half the one before it, so the tail is at most the last term.
    if (up <= 1n && 2n * squareUp <= i << BigInt(working)) break;
    down = (down * squareDown) / (i << BigInt(working));
    up = quotientUp(up * squareUp, i << BigInt(working));
  }
  hi += up;
  const density = expFixed({ lo: -shiftUp(squareUp, 1), hi: -(squareDown >> 1n) }, working);
  const pi = piFixed(working);
  const root = {
    lo: floorSqrt((2n * pi.lo) << BigInt(working)),
    hi: floorSqrt((2n * pi.hi) << BigInt(working)) + 1n,
  };
  return {
    lo: shiftDown((lo * density.lo) / root.hi, spare),
    hi: shiftUp(quotientUp(hi * density.hi, root.lo), spare),
  };
}
