/**
 * Intervals of fixed-point numbers: [lo, hi]·2^−p for integers lo ≤ hi and a precision p that the caller carries.
 * Every operation rounds lo down and hi up, so the interval always holds the true value; how wide it became is
 * visible in it, and whoever needs it narrower repeats with a larger p.
 */
export interface FixedInterval {
  readonly lo: bigint;
  readonly hi: bigint;
}

/** ⌊n / 2^s⌋ for any sign of n and s. */
export function shiftDown(n: bigint, s: number): bigint {
  return s >= 0 ? n >> BigInt(s) : n << BigInt(-s);
}
/** ⌈n / 2^s⌉ for any sign of n and s. */
export function shiftUp(n: bigint, s: number): bigint {
  return s >= 0 ? -(-n >> BigInt(s)) : n << BigInt(-s);
}
/** ⌊a / b⌋ for b > 0. */
export function quotientDown(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a < 0n && quotient * b !== a ? quotient - 1n : quotient;
}
/** ⌈a / b⌉ for b > 0. */
export function quotientUp(a: bigint, b: bigint): bigint {
  return -quotientDown(-a, b);
}

/** num/den (den > 0) at precision p. */
export function fixedQuotient(num: bigint, den: bigint, p: number): FixedInterval {
  const scaled = num << BigInt(p);
  return { lo: quotientDown(scaled, den), hi: quotientUp(scaled, den) };
}

/** The same interval at another precision. */
export function rescale(x: FixedInterval, from: number, to: number): FixedInterval {
  return { lo: shiftDown(x.lo, from - to), hi: shiftUp(x.hi, from - to) };
}

export function bitLength(n: bigint): number {
  const magnitude = n < 0n ? -n : n;
  if (magnitude === 0n) return 0;
  const hex = magnitude.toString(16);
  return (hex.length - 1) * 4 + 32 - Math.clz32(Number.parseInt(hex.charAt(0), 16));
}

/** ⌊√n⌋ for n ≥ 0: Newton from above falls strictly until it reaches the root. */
export function floorSqrt(n: bigint): bigint {
  if (n < 2n) return n;
  let root = 1n << BigInt((bitLength(n) + 1) >> 1);
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
