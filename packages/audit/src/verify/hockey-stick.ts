import type { Rational } from "@lethe/core";
import { add, divide, expBracket, floorTo, max, multiply, ratio, subtract, sum, zero } from "@lethe/core";

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

/**
 * max over sets S of P(S) − e^ε·Q(S) = Σ max(0, p − e^ε·q): the least δ at which this direction is (ε, δ)-DP.
 * Enclosed; the rest, which may lie on either side, is in the upper end.
 */
export function hockeyStick({ outcomes, rest }: Neighbours, epsilon: Rational, bits = 160): Enclosure {
  const growth = expBracket(epsilon, bits);
  return {
    lo: sum(outcomes.map(({ p, q }) => max(zero, subtract(p.lo, multiply(growth.hi, q.hi))))),
    hi: add(rest, sum(outcomes.map(({ p, q }) => max(zero, subtract(p.hi, multiply(growth.lo, q.lo)))))),
  };
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
