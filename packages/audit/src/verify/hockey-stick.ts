import type { Rational } from "@lethe/core";
import { ratio } from "@lethe/core";
import { add, divide, expBracket, floorTo, multiply, sum } from "@lethe/core/numeric";

/** Two rationals that enclose a number. */
export interface Enclosure {
  readonly lo: Rational;
  readonly hi: Rational;
}

/** One outcome's mass under a data set and under its neighbour. */
export interface Outcome {
  readonly p: Enclosure;
  readonly q: Enclosure;
}

/** The outputs of a mechanism on two neighbours: finitely many outcomes; all others together weigh at most `rest`. */
export interface Neighbours {
  readonly outcomes: readonly Outcome[];
  readonly rest: Rational;
}

export function exactly(x: Rational): Enclosure {
  return { lo: x, hi: x };
}

/** The same pair, seen from the other side. */
export function reversed({ outcomes, rest }: Neighbours): Neighbours {
  return { outcomes: outcomes.map(({ p, q }) => ({ p: q, q: p })), rest };
}

/** Independent mechanisms side by side: every combination of outcomes. */
export function product(parts: readonly Neighbours[]): Neighbours {
  const times = (a: Enclosure, b: Enclosure): Enclosure => ({
    lo: multiply(a.lo, b.lo),
    hi: multiply(a.hi, b.hi),
  });
  return parts.reduce((left, right) => ({
    outcomes: left.outcomes.flatMap((a) =>
      right.outcomes.map((b) => ({ p: times(a.p, b.p), q: times(a.q, b.q) })),
    ),
    rest: add(left.rest, right.rest),
  }));
}

/** A pair's masses as integers over one denominator: sums of thousands of outcomes then need no lowest terms on the way. */
interface OverOneDenominator {
  readonly unit: bigint;
  readonly outcomes: readonly { readonly p: Ends; readonly q: Ends }[];
}
interface Ends {
  readonly lo: bigint;
  readonly hi: bigint;
}

const known = new WeakMap<Neighbours, OverOneDenominator>();

function overOneDenominator(pair: Neighbours): OverOneDenominator {
  const found = known.get(pair);
  if (found !== undefined) return found;
  let unit = 1n;
  for (const { p, q } of pair.outcomes)
    for (const { den } of [p.lo, p.hi, q.lo, q.hi]) unit = commonMultiple(unit, den);
  const ends = ({ lo, hi }: Enclosure): Ends => ({
    lo: lo.num * (unit / lo.den),
    hi: hi.num * (unit / hi.den),
  });
  const made = { unit, outcomes: pair.outcomes.map(({ p, q }) => ({ p: ends(p), q: ends(q) })) };
  known.set(pair, made);
  return made;
}

function commonMultiple(a: bigint, b: bigint): bigint {
  if (a % b === 0n) return a;
  let [large, small] = [a, b];
  while (small > 0n) [large, small] = [small, large % small];
  return (a / large) * b;
}

/**
 * max over sets S of P(S) − e^ε·Q(S) = Σ max(0, p − e^ε·q): the least δ at which this direction is (ε, δ)-DP.
 * Enclosed; the rest, which may lie on either side, is in the upper end.
 */
export function hockeyStick(pair: Neighbours, epsilon: Rational, bits = 160): Enclosure {
  const { unit, outcomes } = overOneDenominator(pair);
  const growth = expBracket(epsilon, bits);
  const [low, high] = [growth.lo, growth.hi];
  let [lo, hi] = [0n, 0n];
  for (const { p, q } of outcomes) {
    const least = p.lo * high.den - high.num * q.hi;
    if (least > 0n) lo += least;
    const most = p.hi * low.den - low.num * q.lo;
    if (most > 0n) hi += most;
  }
  return { lo: ratio(lo, unit * high.den), hi: add(pair.rest, ratio(hi, unit * low.den)) };
}

/** The outcomes whose mass certainly exceeds e^ε times the other side's: how much of them there is, the most that one exceeds by. */
export function exceeding(
  pair: Neighbours,
  epsilon: Rational,
  bits = 160,
): { readonly mass: Rational; readonly most: Rational } {
  const { unit, outcomes } = overOneDenominator(pair);
  const { num, den } = expBracket(epsilon, bits).hi;
  let [mass, most] = [0n, 0n];
  for (const { p, q } of outcomes) {
    const excess = p.lo * den - num * q.hi;
    if (excess <= 0n) continue;
    mass += p.lo;
    if (excess > most) most = excess;
  }
  return { mass: ratio(mass, unit), most: ratio(most, unit * den) };
}

const momentGrid = 1n << 200n;

/**
 * A lower bound of Σ p^α·q^(1−α) = e^((α−1)·D_α) for an integer α ≥ 2, over the outcomes whose p is known positive.
 */
export function renyiMoment({ outcomes }: Neighbours, alpha: number): Rational {
  return sum(
    outcomes.flatMap(({ p, q }) =>
      p.lo.num > 0n && q.hi.num > 0n
        ? [floorTo(divide(power(p.lo, alpha), power(q.hi, alpha - 1)), momentGrid)]
        : [],
    ),
  );
}

function power(x: Rational, n: number): Rational {
  return ratio(x.num ** BigInt(n), x.den ** BigInt(n));
}
