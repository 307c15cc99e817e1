import { type Rational, ratio } from "@lethe/core";
import { add, compare, divide, multiply, one, subtract, sum, zero } from "@lethe/core/numeric";
import type { Enclosure } from "./mechanism-hockey-stick.ts";

/*
 * Laws of selections from their definitions, with a rational in the place of e^−rate: then every claim
 * P ≤ e^{rate·range}·P′ is one of rationals. Independent of the code that draws.
 */

export function powerOf(x: Rational, k: bigint): Rational {
  return ratio(x.num ** k, x.den ** k);
}

function gapsOf(scores: readonly bigint[]): bigint[] {
  const best = scores.reduce((a, b) => (a > b ? a : b));
  return scores.map((score) => best - score);
}

/** ∝ decay^{gap}. */
export function exponentialLaw(scores: readonly bigint[], decay: Rational): Rational[] {
  const weights = gapsOf(scores).map((gap) => powerOf(decay, gap));
  const total = sum(weights);
  return weights.map((weight) => divide(weight, total));
}

/** Average over all orders of the chance that the first accepted is i: McKenna & Sheldon's Algorithm 1 word for word. */
export function permuteAndFlipLaw(scores: readonly bigint[], decay: Rational): Rational[] {
  const accepted = gapsOf(scores).map((gap) => powerOf(decay, gap));
  const law = scores.map(() => zero);
  let orders = 0n;
  const walk = (order: readonly number[]): void => {
    if (order.length === scores.length) {
      orders += 1n;
      let none = one;
      for (const at of order) {
        law[at] = add(law[at]!, multiply(none, accepted[at]!));
        none = multiply(none, subtract(one, accepted[at]!));
      }
      return;
    }
    for (const at of scores.keys()) if (!order.includes(at)) walk([...order, at]);
  };
  walk([]);
  return law.map((mass) => divide(mass, ratio(orders)));
}

/** The least index of the largest score + Z, with P[Z = z] = (1 − decay)/(1 + decay)·decay^|z|; |z| > reach is left out. */
export function noisyMaxLaw(scores: readonly bigint[], decay: Rational, reach: bigint): Enclosure[] {
  const front = divide(subtract(one, decay), add(one, decay));
  /** P[Z ≤ z]. */
  const below = (z: bigint): Rational =>
    z < 0n
      ? divide(powerOf(decay, -z), add(one, decay))
      : subtract(one, divide(powerOf(decay, z + 1n), add(one, decay)));
  const rest = multiply(ratio(2n), powerOf(decay, reach));
  return scores.map((score, i) => {
    let total = zero;
    for (let z = -reach; z <= reach; z += 1n) {
      let mass = multiply(front, powerOf(decay, z < 0n ? -z : z));
      for (const [j, other] of scores.entries()) {
        if (j !== i) mass = multiply(mass, below(score + z - other - (j < i ? 1n : 0n)));
      }
      total = add(total, mass);
    }
    return { lo: total, hi: add(total, rest) };
  });
}

/** Whether P(i) > growth·Q(i) for some i: pure DP at ln growth is false. */
export function exceeds(p: readonly Enclosure[], q: readonly Enclosure[], growth: Rational): boolean {
  return p.some((mass, i) => compare(mass.lo, multiply(growth, q[i]!.hi)) > 0);
}

export function enclosed(law: readonly Rational[]): Enclosure[] {
  return law.map((mass) => ({ lo: mass, hi: mass }));
}

/** All score vectors of this length with entries from 0 to `top`. */
export function scoreVectors(length: number, top: number): bigint[][] {
  if (length === 0) return [[]];
  return scoreVectors(length - 1, top).flatMap((head) =>
    Array.from({ length: top + 1 }, (_, score) => [...head, BigInt(score)]),
  );
}

/** All pairs of score vectors of which no entry differs by more than 1; for monotone scores, all entries one way. */
export function neighbouringScores(length: number, top: number, monotone: boolean): [bigint[], bigint[]][] {
  const moves = scoreVectors(length, monotone ? 1 : 2).map((move) =>
    move.map((by) => (monotone ? by : by - 1n)),
  );
  return scoreVectors(length, top).flatMap((scores) =>
    moves.map((move): [bigint[], bigint[]] => [scores, scores.map((score, i) => score + move[i]!)]),
  );
}
