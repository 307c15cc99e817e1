import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { EventOf } from "../../events/event.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import { lnBracket } from "../../numeric/bracket.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import {
  ceil,
  compare,
  divide,
  one,
  parseRational,
  type Rational,
  ratio,
  zero,
} from "../../numeric/rational.ts";
import { checkPositive } from "../../samplers/parameters.ts";
import { chooseOnInterval, type Exponential, exponential, type ScoredPiece } from "../exponential/index.ts";
import { checkAlpha } from "../geometric/laplace-error-bound.ts";
import { checkRange, clampTo, type PublicRange } from "../geometric/public-range.ts";

/** One quantile of integers in a public range. Plain public data; rationals are exact texts. */
export interface QuantileSetting {
  /** The range to which values are clamped (grid units); the answer is a number of it. */
  readonly range: PublicRange;
  /** The quantile, from 0 to 1: "1/2" is the median. */
  readonly q: string;
  readonly epsilon: string;
  readonly adjacency: Adjacency;
  /** Rows that one unit has at most; 1 unless stated. */
  readonly rows?: bigint;
}

interface Checked {
  /** q = part/whole in lowest terms. */
  readonly part: bigint;
  readonly whole: bigint;
  readonly mechanism: Exponential;
  readonly rate: Rational;
}

const reaches: { readonly [A in Adjacency]: (part: bigint, whole: bigint) => bigint } = {
  "add-or-remove-one": (part, whole) => (part > whole - part ? part : whole - part),
  "replace-one": (_part, whole) => whole,
};

/**
 * Returns the most by which one unit changes the score of an answer, in steps of 1/whole rank where q = part/whole: max(part, whole −
 * part) for each row that comes or goes, whole for each row that is replaced. Two scores move apart by at most twice as much.
 * Source: Smith 2011 (replace-one, q = 1/2); both adjacencies derived in ./quantile.proof.md.
 * Direction: exact.
 * Errors: parameter.invalid unless 0 ≤ q ≤ 1, rows ≥ 1 and the adjacency is known.
 */
export function quantileSensitivity(setting: Pick<QuantileSetting, "q" | "adjacency" | "rows">): bigint {
  const { adjacency, rows = 1n } = setting;
  const q = parseRational(setting.q, "q");
  if (!(compare(q, zero) >= 0 && compare(q, one) <= 0)) throw invalidParameter("q", setting.q, "from 0 to 1");
  if (!Object.hasOwn(reaches, adjacency)) {
    throw invalidParameter("adjacency", adjacency, `one of ${Object.keys(reaches).join(", ")}`);
  }
  if (!(typeof rows === "bigint" && rows >= 1n)) throw invalidParameter("rows", rows, "an integer ≥ 1");
  return rows * reaches[adjacency](q.num, q.den);
}

function checked(setting: QuantileSetting): Checked {
  checkRange(setting.range);
  const range = 2n * quantileSensitivity(setting);
  const epsilon = parseRational(setting.epsilon, "epsilon");
  checkPositive("epsilon", epsilon);
  const rate = divide(epsilon, ratio(range));
  const { num: part, den: whole } = parseRational(setting.q, "q");
  return { part, whole, rate, mechanism: exponential({ rate, range }) };
}

/** Returns the event of one release: ε-bounded range. Errors: parameter.invalid. */
export function quantileEvent(setting: QuantileSetting): EventOf<"bounded-range"> {
  return { ...checked(setting).mechanism.event, of: "quantile" };
}

/**
 * The score of every number of the range, as runs of numbers that score alike: minus the distance, in steps of 1/whole, from q·n
 * to the ranks [#below, #at or below] that a number has. It is 0 exactly at the q-quantiles. This is the data: never release it.
 * Errors: parameter.invalid, of the setting alone.
 */
export function quantilePieces(setting: QuantileSetting, values: readonly bigint[]): ScoredPiece[] {
  const { part, whole } = checked(setting);
  const { range } = setting;
  const sorted = values.map((value) => clampTo(value, range)).sort((x, y) => (x < y ? -1 : x > y ? 1 : 0));
  const target = part * BigInt(sorted.length);
  const score = (below: number, atOrBelow: number): bigint => {
    const [over, under] = [whole * BigInt(below) - target, target - whole * BigInt(atOrBelow)];
    if (over > 0n) return -over;
    return under > 0n ? -under : 0n;
  };
  const pieces: ScoredPiece[] = [];
  let next = range.lo; // the first number that no piece holds yet
  for (let i = 0; i < sorted.length; ) {
    const value = elementAt(sorted, i);
    let end = i;
    while (end < sorted.length && sorted[end] === value) end += 1;
    pieces.push({ cells: value - next, score: score(i, i) }, { cells: 1n, score: score(i, end) });
    next = value + 1n;
    i = end;
  }
  pieces.push({ cells: range.hi + 1n - next, score: score(sorted.length, sorted.length) });
  return pieces;
}

/**
 * A number of the range, the likelier the nearer its rank is to q·n: each number with probability exactly ∝ e^(rate·score), rate =
 * ε/(2·sensitivity). No rows: every number alike. The work is that of sorting the rows. Proof: ./quantile.proof.md
 * Source: Smith 2011, Alg. 2; McSherry & Talwar 2007, Thm 6.
 * Direction: exact.
 * Errors: parameter.invalid, of the setting alone.
 * @example releaseQuantile({ range: { lo: 0n, hi: 120n }, q: "1/2", epsilon: "1", adjacency: "add-or-remove-one" }, ages, bits) // => 41n, say
 */
export function releaseQuantile(
  setting: QuantileSetting,
  values: readonly bigint[],
  bits: BitSource,
): bigint {
  const { mechanism } = checked(setting);
  const { lo, hi } = setting.range;
  const grid = { low: ratio(lo), step: one, cells: hi - lo + 1n };
  return chooseOnInterval(mechanism, grid, quantilePieces(setting, values), bits).num;
}

/**
 * r such that with probability ≥ 1 − beta the answer's rank is within r of q·n: fewer than q·n + r rows (or exactly) lie below it,
 * and at least q·n − r at or below it.
 * Source: McSherry & Talwar 2007, Thm 6; Dwork & Roth 2014, Cor. 3.12.
 * Direction: upper.
 * Errors: parameter.invalid unless 0 < beta < 1.
 * @example quantileRankErrorBound({ range: { lo: 0n, hi: 99n }, q: "1/2", epsilon: "1", adjacency: "replace-one" }, ratio(1n, 20n)) // => 15
 */
export function quantileRankErrorBound(setting: QuantileSetting, beta: Rational): Rational {
  checkAlpha(beta);
  const { rate, whole } = checked(setting);
  // P[distance ≥ d] ≤ cells·e^(−rate·d): the least d for which that is at most beta, less one step.
  const spread = divide(ratio(setting.range.hi - setting.range.lo + 1n), beta);
  const steps = ceil(divide(lnBracket(spread, 80).hi, rate));
  return ratio(steps - 1n, whole);
}
