import { invalidParameter } from "../errors/lethe-error.ts";
import { bitLength } from "./fixed-point.ts";

/** An exact rational in lowest terms, denominator positive. Immutable; compare with {@link compare}, never with ===. */
export interface Rational {
  readonly num: bigint;
  readonly den: bigint;
}

function gcd(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a;
  let y = b < 0n ? -b : b;
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** num/den in lowest terms. Errors: den = 0. */
export function ratio(num: bigint, den: bigint = 1n): Rational {
  if (den === 0n) throw invalidParameter("denominator", den, "≠ 0");
  const sign = den < 0n ? -1n : 1n;
  const divisor = gcd(num, den);
  return { num: (sign * num) / divisor, den: (sign * den) / divisor };
}

export const zero: Rational = ratio(0n);
export const one: Rational = ratio(1n);

const decimalText = /^([+-]?)(\d{1,400})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,3}))?$/;
const fractionText = /^([+-]?\d{1,1200})\/(\d{1,1200})$/;

/**
 * The rational that a text writes: "0.5", "1e-6", "3", "1/3". Exact; never through a double.
 * Errors: parameter.invalid for anything else (NaN, Infinity, blanks, more than 400 digits a part).
 * @example parseRational("0.1") // => 1/10
 */
export function parseRational(text: string, name = "number"): Rational {
  const [, num, den] = fractionText.exec(text) ?? [];
  if (num !== undefined && den !== undefined) return ratio(BigInt(num), BigInt(den));
  const decimal = decimalText.exec(text);
  if (!decimal) throw invalidParameter(name, text, "a decimal number or a fraction p/q");
  const [, sign, whole, part = "", exponent = "0"] = decimal;
  const digits = BigInt(`${whole}${part}`);
  const shift = Number(exponent) - part.length;
  const magnitude = shift >= 0 ? ratio(digits * 10n ** BigInt(shift)) : ratio(digits, 10n ** BigInt(-shift));
  return sign === "-" ? negate(magnitude) : magnitude;
}

const doubleView = new DataView(new ArrayBuffer(8));

/** The exact value of a finite double (0.1 becomes 3602879701896397/2^55). Errors: NaN and ±Infinity. */
export function fromDouble(x: number): Rational {
  if (!Number.isFinite(x)) throw invalidParameter("number", x, "finite");
  doubleView.setFloat64(0, x);
  const bits = doubleView.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const significand = exponent === 0 ? fraction : fraction | (1n << 52n);
  const power = (exponent === 0 ? 1 : exponent) - 1075;
  const magnitude =
    power >= 0 ? ratio(significand << BigInt(power)) : ratio(significand, 1n << BigInt(-power));
  return bits >> 63n ? negate(magnitude) : magnitude;
}

export function add(a: Rational, b: Rational): Rational {
  return ratio(a.num * b.den + b.num * a.den, a.den * b.den);
}
export function subtract(a: Rational, b: Rational): Rational {
  return ratio(a.num * b.den - b.num * a.den, a.den * b.den);
}
export function multiply(a: Rational, b: Rational): Rational {
  return ratio(a.num * b.num, a.den * b.den);
}
export function divide(a: Rational, b: Rational): Rational {
  return ratio(a.num * b.den, a.den * b.num);
}
export function negate(a: Rational): Rational {
  return { num: -a.num, den: a.den };
}
/** Negative, zero or positive as a < b, a = b, a > b. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.num * b.den - b.num * a.den;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
export function equals(a: Rational, b: Rational): boolean {
  return a.num === b.num && a.den === b.den;
}
export function min(a: Rational, b: Rational): Rational {
  return compare(a, b) <= 0 ? a : b;
}
export function max(a: Rational, b: Rational): Rational {
  return compare(a, b) >= 0 ? a : b;
}
/** Exact. Terms of one denominator are added first, and then neighbours, so that long numbers meet seldom. */
export function sum(terms: Iterable<Rational>): Rational {
  const numerators = new Map<bigint, bigint>();
  for (const { num, den } of terms) numerators.set(den, (numerators.get(den) ?? 0n) + num);
  let parts = [...numerators].map(([den, num]) => ratio(num, den));
  while (parts.length > 1)
    parts = parts.flatMap((part, at) => {
      if (at % 2 === 1) return [];
      const next = parts[at + 1];
      return [next ? add(part, next) : part];
    });
  return parts[0] ?? zero;
}

/** Largest integer ≤ a. */
export function floor(a: Rational): bigint {
  const quotient = a.num / a.den;
  return a.num < 0n && quotient * a.den !== a.num ? quotient - 1n : quotient;
}
/** Smallest integer ≥ a. */
export function ceil(a: Rational): bigint {
  return -floor(negate(a));
}
/** Smallest multiple of 1/grid that is ≥ a: the direction for anything claimed as a loss. */
export function ceilTo(a: Rational, grid: bigint): Rational {
  return ratio(ceil(multiply(a, ratio(grid))), grid);
}
/** Largest multiple of 1/grid that is ≤ a. */
export function floorTo(a: Rational, grid: bigint): Rational {
  return ratio(floor(multiply(a, ratio(grid))), grid);
}

/** The double nearest from the asked side: "up" gives the smallest double ≥ a, "down" the largest ≤ a. */
export function toDouble(a: Rational, direction: "up" | "down"): number {
  if (a.num === 0n) return 0;
  if (a.num < 0n) return -toDouble(negate(a), direction === "up" ? "down" : "up");
  // a = significand · 2^exponent with a 53-bit significand, fewer in the subnormal range.
  let exponent = bitLength(a.num) - bitLength(a.den) - 53;
  for (;;) {
    exponent = Math.max(exponent, -1074);
    const scaled =
      exponent >= 0 ? ratio(a.num, a.den << BigInt(exponent)) : ratio(a.num << BigInt(-exponent), a.den);
    const significand = direction === "up" ? ceil(scaled) : floor(scaled);
    if (significand <= 1n << 53n) {
      // 2^53·2^971 is the first power of two beyond the largest double.
      if (exponent > 971 || (exponent === 971 && significand === 1n << 53n)) {
        return direction === "up" ? Number.POSITIVE_INFINITY : Number.MAX_VALUE;
      }
      // Two steps, because 2^exponent alone can underflow where the product does not.
      const half = Math.trunc(exponent / 2);
      return Number(significand) * 2 ** half * 2 ** (exponent - half);
    }
    exponent += 1;
  }
}

/** "3", "1/3": the canonical text, which {@link parseRational} reads back. */
export function toText(a: Rational): string {
  return a.den === 1n ? a.num.toString() : `${a.num}/${a.den}`;
}

/**
 * A short decimal for people, rounded to at most `places` decimals toward the asked side.
 * @example toDecimal(parseRational("1/3"), "up", 4) // => "0.3334"
 */
export function toDecimal(a: Rational, direction: "up" | "down", places = 6): string {
  const grid = 10n ** BigInt(places);
  const scaled = multiply(a, ratio(grid));
  const units = direction === "up" ? ceil(scaled) : floor(scaled);
  const magnitude = units < 0n ? -units : units;
  const digits = magnitude.toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const part = digits.slice(digits.length - places).replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${whole}${part ? `.${part}` : ""}`;
}
