import { invalidParameter } from "../errors/lethe-error.ts";
import { expFixed, lnFixed, normalCentralFixed, sqrtFixed } from "./fixed-functions.ts";
import type { FixedInterval } from "./fixed-point.ts";
import { bitLength, fixedQuotient } from "./fixed-point.ts";
import type { Rational } from "./rational.ts";

/** Two rationals with lo ≤ true value ≤ hi. Both are dyadic. */
export interface Bracket {
  readonly lo: Rational;
  readonly hi: Rational;
}

/** n·2^−p in lowest terms, without a general gcd. */
function dyadic(n: bigint, p: number): Rational {
  if (n === 0n) return { num: 0n, den: 1n };
  const zeros = Math.min(p, bitLength(n & -n) - 1);
  return { num: n >> BigInt(zeros), den: 1n << BigInt(p - zeros) };
}

function checkBits(bits: number): void {
  if (!(Number.isInteger(bits) && bits >= 1 && bits <= 1 << 20)) {
    throw invalidParameter("bits", bits, "an integer from 1 to 1048576");
  }
}

/** Computes with growing precision until the interval, whose soundness needs no trust, is as narrow as was asked. */
function narrowed(bits: number, compute: (p: number) => FixedInterval): Bracket {
  checkBits(bits);
  for (let guard = 8; ; guard *= 2) {
    const p = bits + guard;
    const { lo, hi } = compute(p);
    if (hi - lo <= 1n << BigInt(guard)) return { lo: dyadic(lo, p), hi: dyadic(hi, p) };
  }
}

/**
 * e^x between two rationals at most 2^−bits apart. Errors: x > 2^20 (the answer would have millions of digits).
 * @example expBracket(ratio(1n), 20) // lo ≤ 2.718281828… ≤ hi, hi − lo ≤ 2^−20
 */
export function expBracket(x: Rational, bits: number): Bracket {
  checkBits(bits);
  if (x.num > x.den << 20n) throw invalidParameter("exponent", "beyond 2^20", "≤ 2^20");
  // Also at −∞: e^x < 2^−bits as soon as x ≤ −bits.
  if (x.num <= -BigInt(bits) * x.den) return { lo: dyadic(0n, 0), hi: dyadic(1n, bits) };
  return narrowed(bits, (p) => {
    // An argument off by 2^−q moves e^x by e^x·2^−q: carry the bits of the value on top.
    const q = p + Math.max(0, Math.ceil(1.45 * (Number(x.num / x.den) + 1)));
    const value = expFixed(fixedQuotient(x.num, x.den, q), q);
    return { lo: value.lo >> BigInt(q - p), hi: -(-value.hi >> BigInt(q - p)) };
  });
}

/** ln x between two rationals at most 2^−bits apart. Errors: x ≤ 0. */
export function lnBracket(x: Rational, bits: number): Bracket {
  if (!(x.num > 0n)) throw invalidParameter("argument of ln", "not positive", "> 0");
  return narrowed(bits, (p) => lnFixed(x.num, x.den, p));
}

/** √x between two rationals at most 2^−bits apart; both are √x where that is dyadic enough. Errors: x < 0. */
export function sqrtBracket(x: Rational, bits: number): Bracket {
  if (!(x.num >= 0n)) throw invalidParameter("argument of √", "negative", "≥ 0");
  return narrowed(bits, (p) => sqrtFixed(x.num, x.den, p));
}

/**
 * Q(x) = P[N(0,1) > x] between two rationals at most 2^−bits apart, for any sign of x.
 * The width is absolute: for a far tail ask for more bits (Q(x) is about 2^(−0.73·x²)).
 */
export function normalTailBracket(x: Rational, bits: number): Bracket {
  checkBits(bits);
  const negative = x.num < 0n;
  const num = negative ? -x.num : x.num;
  // Q(x) ≤ e^{−x²/2}/2 ≤ 2^−bits once x² ≥ 2·ln 2·bits; 1.4 > 2·ln 2.
  if (5n * num * num >= 7n * BigInt(bits) * x.den * x.den) {
    return narrowed(bits, (p) =>
      negative
        ? { lo: (1n << BigInt(p)) - (1n << BigInt(p - bits)), hi: 1n << BigInt(p) }
        : { lo: 0n, hi: 1n << BigInt(p - bits) },
    );
  }
  return narrowed(bits, (p) => {
    const half = 1n << BigInt(p - 1);
    const central = normalCentralFixed(fixedQuotient(num, x.den, p), p);
    return negative
      ? { lo: half + central.lo, hi: half + central.hi }
      : { lo: half - central.hi, hi: half - central.lo };
  });
}
