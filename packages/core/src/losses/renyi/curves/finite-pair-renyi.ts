import { invalidParameter } from "../../../errors/lethe-error.ts";
import { elementAt } from "../../../numeric/elements/element-at.ts";
import {
  compare,
  divide,
  one,
  type Rational,
  subtract,
  sum,
  toDouble,
  zero,
} from "../../../numeric/rational.ts";
import { logSumExp } from "../../../numeric/special/log-space.ts";
import { logPowerExcess } from "../../../numeric/special/power-excess.ts";
import { checkOrder, divergenceFromLogExcess, type RenyiCurve, renyiMargin } from "./renyi-curve.ts";

/** One outcome seen from one side: its mass below, and the ratio of masses less 1. */
interface Outcome {
  readonly logMass: number;
  readonly excess: number;
  readonly logRatio: number;
}

/**
 * A finite mechanism by its worst pair of output laws: the larger of D_α(P‖Q) and D_α(Q‖P), by direct summation,
 *   D_α(P‖Q) = log( 1 + Σ q·[(p/q)^α − 1 − α(p/q − 1)] ) / (α − 1):
 * terms of one sign, of which none cancels. The masses are exact, so nearly equal pairs keep their accuracy.
 * Source: Mironov 2017, Def. 3 (C Eq 8).
 * Direction: exact
 * Errors: parameter.invalid unless both lists have one length ≥ 1, nothing negative, and each sums to 1 exactly.
 * @example finitePairRenyi([ratio(3n, 4n), ratio(1n, 4n)], [ratio(1n, 4n), ratio(3n, 4n)]).at(2) // => 0.8472978
 */
export function finitePairRenyi(p: readonly Rational[], q: readonly Rational[]): RenyiCurve {
  if (p.length === 0 || p.length !== q.length) {
    throw invalidParameter("lists", `${p.length} and ${q.length} masses`, "of one length, at least 1");
  }
  for (const masses of [p, q]) {
    if (masses.some((mass) => compare(mass, zero) < 0) || compare(sum(masses), one) !== 0) {
      throw invalidParameter("masses", "not a distribution", "≥ 0 with sum 1 exactly");
    }
  }
  const sides = [outcomes(p, q), outcomes(q, p)];
  const largest = Math.max(...sides.flat().map(({ logRatio }) => logRatio));
  return {
    id: `finite(${p.length} outcomes)`,
    tight: true,
    ...(largest < Number.POSITIVE_INFINITY ? { maxLoss: Math.max(0, largest * (1 + 1e-12)) } : {}),
    at(order) {
      checkOrder(order);
      const logExcess = sides.map((side) =>
        logSumExp(side.map((each) => each.logMass + logPowerExcess(order, each.excess, each.logRatio))),
      );
      return divergenceFromLogExcess(order, Math.max(...logExcess), renyiMargin + p.length * 2 ** -52);
    },
  };
}

function outcomes(p: readonly Rational[], q: readonly Rational[]): readonly Outcome[] {
  return p.flatMap((above, i): Outcome[] => {
    const below = elementAt(q, i);
    if (above.num === 0n && below.num === 0n) return [];
    // Never seen on the other side: every divergence is infinite.
    if (below.num === 0n) {
      return [{ logMass: 0, excess: Number.POSITIVE_INFINITY, logRatio: Number.POSITIVE_INFINITY }];
    }
    const excess = toDouble(divide(subtract(above, below), below), "up");
    const logRatio = excess > -0.5 ? Math.log1p(excess) : Math.log(toDouble(divide(above, below), "up"));
    return [{ logMass: Math.log(toDouble(below, "up")), excess, logRatio }];
  });
}
