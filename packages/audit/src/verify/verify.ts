import { type Rational, ratio, toDouble } from "@lethe/core";
import { compare, max, zero } from "@lethe/core/numeric";
import { type NoisePaths, pairOf } from "../enumerate/enumerate-noise.ts";
import type { Claim, Point } from "./claim.ts";
import { type Enclosure, hockeyStick, type Neighbours, reversed } from "./hockey-stick.ts";
import { type RefutedForms, refutedForms } from "./refuted-forms.ts";

/** A mechanism whose law on an input can be enumerated. */
export interface FiniteMechanism<D> {
  readonly claim: Claim;
  /** P[outcome], with what no path reached as residual. */
  law(data: D): NoisePaths;
}

/** A claimed point that two neighbours show to be false. */
export interface Refutation {
  /** The pair's place in the list, and whether the pair was read from right to left. */
  readonly pair: number;
  readonly backwards: boolean;
  readonly point: Point;
  /** The least δ that would hold at the point's ε. */
  readonly delta: Enclosure;
  readonly forms: RefutedForms;
}

export interface Verification {
  /** The least δ at each claimed point over all pairs, both ways. */
  readonly deltas: readonly { readonly point: Point; readonly delta: Enclosure }[];
  /** The least ε at the first claimed point's δ over all pairs, both ways; hi is null where the residual hides it. */
  readonly epsilon: { readonly lo: number; readonly hi: number | null };
  readonly refuted: readonly Refutation[];
  /** Whether every point is shown to hold, not only not refuted. */
  readonly proven: boolean;
}

/**
 * Exact: the hockey-stick divergence of enumerated laws on every pair of neighbours, both ways, against every point that the
 * mechanism claims; and the three forms of DP beside it.
 * Source: D1, D3; δ(ε) = Σ max(0, p − e^ε·q).
 * Direction: a refutation is certain; `proven` is certain for the pairs that were given.
 * @example verify({ claim: pureClaim(ratio(1n)), law }, [[0n, 1n]]).refuted // => [] where it keeps its promise
 */
export function verify<D>(
  mechanism: FiniteMechanism<D>,
  neighbours: readonly (readonly [D, D])[],
): Verification {
  const pairs = neighbours.flatMap(([left, right], pair) => {
    const both = pairOf(mechanism.law(left), mechanism.law(right));
    return [
      { pair, backwards: false, masses: both },
      { pair, backwards: true, masses: reversed(both) },
    ];
  });
  const refuted: Refutation[] = [];
  const deltas = mechanism.claim.points.map((point) => {
    let worst: Enclosure = { lo: zero, hi: zero };
    for (const { pair, backwards, masses } of pairs) {
      const delta = hockeyStick(masses, point.epsilon);
      worst = { lo: max(worst.lo, delta.lo), hi: max(worst.hi, delta.hi) };
      const forms = refutedForms(masses, point);
      if (forms.sets) refuted.push({ pair, backwards, point, delta, forms });
    }
    return { point, delta: worst };
  });
  const delta = mechanism.claim.points[0]?.delta ?? zero;
  return {
    deltas,
    epsilon: leastEpsilon(
      pairs.map(({ masses }) => masses),
      delta,
    ),
    refuted,
    proven: deltas.every(({ point, delta: { hi } }) => compare(hi, point.delta) <= 0),
  };
}

/** The largest ε that is told apart from an infinite loss. */
const largestEpsilon = 64;
/** Binary digits of the ε that is found. */
const precision = 14n;

/**
 * The least ε at which all pairs are (ε, δ)-indistinguishable, by bisection of the hockey-stick divergence, to 2^−14.
 * Direction: enclosed; hi is null where it may be above 64, or the residual alone exceeds δ.
 */
export function leastEpsilon(
  pairs: readonly Neighbours[],
  delta: Rational,
): { readonly lo: number; readonly hi: number | null } {
  const at = (k: bigint): Rational => ratio(k, 1n << precision);
  const end = BigInt(largestEpsilon) << precision;
  /** The least k in [0, end] for which `holds`, which is monotone; end + 1 for none. */
  const least = (holds: (epsilon: Rational) => boolean): bigint => {
    if (!holds(at(end))) return end + 1n;
    let [below, found] = [-1n, end];
    while (found - below > 1n) {
      const middle = (below + found) / 2n;
      if (holds(at(middle))) found = middle;
      else below = middle;
    }
    return found;
  };
  const every = (side: keyof Enclosure) => (epsilon: Rational) =>
    pairs.every((pair) => compare(hockeyStick(pair, epsilon)[side], delta) <= 0);
  const low = least(every("lo"));
  const high = least(every("hi"));
  return {
    lo: low === 0n ? 0 : toDouble(at(low - 1n), "down"),
    hi: high > end ? null : toDouble(at(high), "up"),
  };
}
