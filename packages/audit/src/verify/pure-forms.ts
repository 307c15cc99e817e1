import type { Rational } from "@lethe/core";
import { add, compare, divide, multiply, zero } from "@lethe/core/numeric";
import { paired } from "../paired.ts";

/** A finite law: the probability of every outcome, in the order of its neighbour's. */
export type FiniteLaw = readonly Rational[];

/**
 * The three forms of (ε, δ)-indistinguishability of P from Q, for finite laws and e^ε as a rational (B, Claim 1.1, with δ):
 * 1 every set of outcomes, P(S) ≤ e^ε·Q(S) + δ; 2 every outcome, p ≤ e^ε·q + δ; 3 the loss ln(p/q) exceeds ε with
 * probability at most δ under P. At δ = 0 they say the same.
 */
export interface Forms {
  readonly sets: boolean;
  readonly outcomes: boolean;
  readonly losses: boolean;
}

/** One outcome's probability in either law. */
type Outcome = readonly [Rational, Rational];

const totalOf = (masses: readonly Rational[]): Rational => masses.reduce(add, zero);

export function formsOf(p: FiniteLaw, q: FiniteLaw, growth: Rational, delta: Rational = zero): Forms {
  if (p.length !== q.length || p.length > 16)
    throw new RangeError("two laws of the same at most 16 outcomes");
  const holds = (some: readonly Outcome[]): boolean => {
    const [left, right] = [totalOf(some.map(([mass]) => mass)), totalOf(some.map(([, mass]) => mass))];
    return compare(left, add(multiply(growth, right), delta)) <= 0;
  };
  const all: readonly Outcome[] = paired(p, q);
  let sets = true;
  for (let mask = 0; mask < 2 ** p.length; mask++) sets &&= holds(all.filter((_, at) => (mask >> at) & 1));
  const exceeding = all.filter(
    ([left, right]) => left.num > 0n && (right.num === 0n || compare(divide(left, right), growth) > 0),
  );
  return {
    sets,
    outcomes: all.every((outcome) => holds([outcome])),
    losses: compare(totalOf(exceeding.map(([mass]) => mass)), delta) <= 0,
  };
}

/** Whether all three forms of ε-DP hold in both directions. Fails where they do not agree, which they always do. */
export function pureEitherWay(p: FiniteLaw, q: FiniteLaw, growth: Rational): boolean {
  const answers = [formsOf(p, q, growth), formsOf(q, p, growth)];
  for (const { sets, outcomes, losses } of answers) {
    if (sets !== outcomes || outcomes !== losses) throw new Error("the three forms of pure DP do not agree");
  }
  return answers.every(({ sets }) => sets);
}

/** The laws of a mechanism on two inputs, on the union of their outcomes. */
export function aligned<T>(
  p: ReadonlyMap<T, Rational>,
  q: ReadonlyMap<T, Rational>,
): [Rational[], Rational[]] {
  const outcomes = [...new Set([...p.keys(), ...q.keys()])];
  return [outcomes.map((each) => p.get(each) ?? zero), outcomes.map((each) => q.get(each) ?? zero)];
}
