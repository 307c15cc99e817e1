import type { Rational } from "@lethe/core";
import { add, compare, divide, multiply, zero } from "@lethe/core/numeric";

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

export function formsOf(p: FiniteLaw, q: FiniteLaw, growth: Rational, delta: Rational = zero): Forms {
  if (p.length !== q.length || p.length > 16)
    throw new RangeError("two laws of the same at most 16 outcomes");
  const holds = (some: readonly number[]): boolean => {
    const total = (law: FiniteLaw): Rational => some.reduce((sum, at) => add(sum, law[at]!), zero);
    return compare(total(p), add(multiply(growth, total(q)), delta)) <= 0;
  };
  const all = [...p.keys()];
  let sets = true;
  for (let mask = 0; mask < 2 ** p.length; mask++) sets &&= holds(all.filter((at) => (mask >> at) & 1));
  const exceeding = all.filter(
    (at) => p[at]!.num > 0n && (q[at]!.num === 0n || compare(divide(p[at]!, q[at]!), growth) > 0),
  );
  return {
    sets,
    outcomes: all.every((at) => holds([at])),
    losses:
      compare(
        exceeding.reduce((sum, at) => add(sum, p[at]!), zero),
        delta,
      ) <= 0,
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
