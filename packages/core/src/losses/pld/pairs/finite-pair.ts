import { invalidParameter } from "../../../errors/lethe-error.ts";
import { elementAt } from "../../../numeric/elements/element-at.ts";
import {
  compare,
  divide,
  fromDouble,
  one,
  type Rational,
  ratio,
  subtract,
  sum,
  toDouble,
  toText,
  zero,
} from "../../../numeric/rational.ts";
import { atomsOf, discretePair } from "./discrete-pair.ts";
import type { DominatingPair } from "./dominating-pair.ts";
import { groupOfBounded } from "./group-of-bounded.ts";

/**
 * A finite mechanism by its worst pair: p[i] and q[i] are the probabilities of outcome i, exactly. `tight` unless some pair of
 * neighbours does not reach it. Errors: parameter.invalid for empty or unequal lists, a negative entry, sums other than 1.
 * Source: by the definition
 * Direction: exact
 */
export function exactFinitePair(
  p: readonly Rational[],
  q: readonly Rational[],
  tight: boolean = true,
): DominatingPair {
  if (!(p.length > 0 && p.length === q.length)) {
    throw invalidParameter("q", `${q.length} entries`, `as long as p (${p.length}) and not empty`);
  }
  for (const [name, law] of [["p", p] as const, ["q", q] as const]) {
    if (law.some((x) => x.num < 0n)) throw invalidParameter(name, "a negative entry", "probabilities");
    if (compare(sum(law), one) !== 0)
      throw invalidParameter(name, "not summing to 1", "probabilities summing to 1");
  }
  return pairOf(p, q, tight);
}

/**
 * Returns the pair of {@link exactFinitePair} for doubles whose sums are 1 within 1e-12. A denormal probability below 1e-290 is refused.
 * @example finitePair([0.75, 0.25], [0.25, 0.75]) // randomized response, ε = ln 3
 */
export function finitePair(
  p: readonly number[],
  q: readonly number[],
  tight: boolean = true,
): DominatingPair {
  if (!(p.length > 0 && p.length === q.length)) {
    throw invalidParameter("q", `${q.length} entries`, `as long as p (${p.length}) and not empty`);
  }
  for (const [name, law] of [["p", p] as const, ["q", q] as const]) {
    for (const x of law) {
      if (!(x === 0 || (x >= 1e-290 && x <= 1)))
        throw invalidParameter(name, x, "probabilities, 0 or ≥ 1e-290");
    }
    const total = law.reduce((a, b) => a + b, 0);
    if (!(Math.abs(total - 1) <= 1e-12)) throw invalidParameter(name, `summing to ${total}`, "summing to 1");
  }
  return pairOf(p.map(fromDouble), q.map(fromDouble), tight);
}

function pairOf(p: readonly Rational[], q: readonly Rational[], tight: boolean): DominatingPair {
  const atoms: { loss: number; p: number; q: number }[] = [];
  let [infiniteP, infiniteQ] = [zero, zero];
  for (const [i, mass] of p.entries()) {
    const other = elementAt(q, i);
    if (other.num === 0n) infiniteP = sum([infiniteP, mass]);
    else if (mass.num === 0n) infiniteQ = sum([infiniteQ, other]);
    else atoms.push({ loss: logRatio(mass, other), p: toDouble(mass, "up"), q: toDouble(other, "up") });
  }
  if (atoms.some((atom) => !(atom.p >= 1e-290 && atom.q >= 1e-290))) {
    throw invalidParameter("p and q", "a probability below 1e-290", "0 or ≥ 1e-290");
  }
  const law = {
    id: `finite(${p.map(toText).join(",")};${q.map(toText).join(",")};${tight})`,
    tight,
    atoms: atomsOf(atoms),
    infiniteP: toDouble(infiniteP, "up"),
    infiniteQ: toDouble(infiniteQ, "up"),
  };
  const pair: DominatingPair = discretePair({ ...law, group: (k) => groupOfBounded(pair, k) });
  return pair;
}

const two = ratio(2n);
const half = ratio(1n, 2n);

/** ln(p/q) with a relative error of a few ulp, near 0 too: there the difference is taken before any rounding. */
function logRatio(p: Rational, q: Rational): number {
  const quotient = divide(p, q);
  if (compare(quotient, half) > 0 && compare(quotient, two) < 0) {
    return Math.log1p(toDouble(subtract(quotient, one), "up"));
  }
  return Math.log(toDouble(quotient, "up"));
}
