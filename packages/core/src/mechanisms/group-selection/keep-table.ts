import { bitsBelowOne } from "../../conversions/search/search.ts";
import { LetheError } from "../../errors/lethe-error.ts";
import { expBracket } from "../../numeric/bracket.ts";
import { floor, min, multiply, type Rational, ratio } from "../../numeric/rational.ts";

/** keep[n]/2^bits is the probability that a group of n is kept; from the last entry on it is 1. */
export interface KeepTable {
  readonly bits: number;
  readonly keep: readonly bigint[];
}

/** Longer tables are refused: at δ = 1e-10 they start near ε = 0.0005 a group. */
export const longestTable: number = 1 << 16;
const mostBits = 1024;
/** The least δ that a table's numbers have room for. */
export const leastTableDelta: Rational = ratio(1n, 1n << 960n);
/** A larger ε is treated as this one, which is sound; at 64 two more units take a group from δ to nearly 1. */
const largestEpsilon: Rational = ratio(64n);

function tooSmall(what: string): LetheError {
  return new LetheError("parameter.invalid", `${what} is too small for truncated-geometric selection`, {
    fix: "give the question more ε or δ, let a unit be in fewer groups, or use a threshold rule",
    fields: { name: what },
  });
}

/**
 * The optimal rule of private selection,
 *   π(0) = 0,  π(n+1) = min(e^ε·π(n) + δ, 1 − e^(−ε)·(1 − π(n) − δ), 1),
 * on probabilities that 2^bits fair outcomes represent exactly. e^ε is replaced by a rational L ≤ e^ε and every step is
 * rounded down, so that each pair (π(n), π(n+1)) satisfies both constraints exactly: the table itself, not its limit, is
 * (ε, δ)-DP. Proof: ./group-selection.proof.md
 * Source: Desfontaines, Voss, Gipson & Mandayam 2022 (arXiv 2006.03684), Thm 1.
 * Direction: exact, each step rounded toward less.
 * Errors: parameter.invalid when the table would be longer than {@link longestTable}, or δ < 2^-960.
 */
export function keepTable(epsilon: Rational, delta: Rational): KeepTable {
  const bits = 64 + 32 * Math.ceil(bitsBelowOne(delta) / 32);
  if (!(bits <= mostBits)) throw tooSmall("delta");
  const shift = BigInt(bits);
  const unit = 1n << shift;
  const scaled = (x: Rational): bigint => floor(multiply(x, ratio(unit)));
  const growth = scaled(expBracket(min(epsilon, largestEpsilon), bits).lo);
  const lower = growth > unit ? growth : unit; // L·2^bits; e^ε ≥ 1
  const step = scaled(delta);

  const keep = [0n];
  for (let last = 0n; last < unit; ) {
    if (keep.length >= longestTable) throw tooSmall("epsilon");
    const byKeeping = ((lower * last) >> shift) + step;
    const dropped = unit - last - step;
    const byDropping = dropped <= 0n ? unit : unit - ((dropped << shift) + lower - 1n) / lower;
    last = byKeeping < byDropping ? byKeeping : byDropping;
    if (last > unit) last = unit;
    keep.push(last);
  }
  return { bits, keep };
}

/**
 * About how many entries a table will have, in doubles: twice the point where its two branches meet (Desfontaines et al.
 * 2022, Thm 3).
 */
export function expectedLength(epsilon: number, delta: number): number {
  const growth = Math.exp(Math.min(epsilon, 64));
  return (
    2 + (2 * Math.log((Math.expm1(Math.min(epsilon, 64)) + 2 * delta) / (delta * (growth + 1)))) / epsilon
  );
}
