import { checkTargetDelta } from "../../conversions/search/search.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { approximate } from "../../losses/measures/approximate.ts";
import type { ApproximateLoss, PureLoss, ZcdpLoss } from "../../losses/measures/loss.ts";
import { pure } from "../../losses/measures/pure.ts";
import { zcdp } from "../../losses/measures/zcdp.ts";
import { lnBracket, sqrtBracket } from "../../numeric/bracket.ts";
import {
  add,
  ceilTo,
  compare,
  divide,
  fromDouble,
  min,
  multiply,
  one,
  type Rational,
  ratio,
  subtract,
  toText,
  zero,
} from "../../numeric/rational.ts";
import type { RenyiLoss } from "./renyi-filter.ts";

/**
 * Reports, refuses nothing. With probability 1 − δ, δ fixed when it is made, at every moment and at all of them together, what
 * has run is a post-processing of something whose privacy loss is at most the reading, however each mechanism was chosen
 * (Rogers, Roth, Ullman & Vadhan 2016, Def. 3.5). null where nothing finite is promised.
 */
export interface Odometer<L> {
  /** The probability δ with which readings may fail, over the whole life of the odometer. */
  readonly delta: Rational;
  /** A mechanism of this loss has run. Errors: parameter.invalid for a negative loss. */
  ran(loss: L): void;
  reading(): Rational | null;
}

function check(name: string, value: Rational): void {
  if (!(compare(value, zero) >= 0)) throw invalidParameter(name, toText(value), "≥ 0");
}

/**
 * ε adds up, and a reading never fails.
 * Source: Rogers, Roth, Ullman & Vadhan 2016 (arXiv 1605.08294), Thm 3.6 with δ = 0
 * Direction: exact
 */
export function pureOdometer(): Odometer<PureLoss> {
  let total = pure.zero;
  return {
    delta: zero,
    ran(loss) {
      check("epsilon", loss.epsilon);
      total = pure.compose([total, loss]);
    },
    reading: () => total.epsilon,
  };
}

/**
 * ε adds up; the reading is null once the δs of what has run exceed `delta`. An (ε, δ)-DP mechanism post-processes one whose loss
 * is at most ε outside an event of probability δ (Kairouz, Oh & Viswanath 2015).
 * Source: Rogers, Roth, Ullman & Vadhan 2016, Thm 3.6
 * Direction: upper
 * Errors: parameter.invalid for a negative δ.
 */
export function approximateOdometer(delta: Rational): Odometer<ApproximateLoss> {
  check("delta", delta);
  let total = approximate.zero;
  return {
    delta,
    ran(loss) {
      check("epsilon", loss.epsilon);
      check("delta", loss.delta);
      total = approximate.compose([total, loss]);
    },
    reading: () => (compare(total.delta, delta) <= 0 ? total.epsilon : null),
  };
}

const bits = 80;

/** spent + ln(1/share)/(α − 1), rounded up: by Ville's inequality the loss never exceeds it but with probability share. */
function atOrder(spent: Rational, excess: Rational, share: Rational): Rational {
  return add(spent, ceilTo(divide(lnBracket(divide(one, share), bits).hi, excess), 1n << 60n));
}

/**
 * At a fixed order α, exp((α − 1)(L − Σ_i D_i)) is a supermartingale started at 1, so P[L ever exceeds Σ_i D_i + ln(1/δ)/(α − 1)]
 * ≤ δ (Ville); k orders take δ/k each, and the least of the k is read. Lécuyer 2021 (arXiv 2103.01379), Sec. 4; Feldman & Zrnic
 * 2021, Thm 4.5's supermartingale. Proof: ./adaptive.proof.md
 * Source: Lécuyer 2021, Sec. 4; Feldman & Zrnic 2021, Thm 4.5
 * Direction: upper
 * Errors: parameter.invalid unless 0 < δ < 1 and every order is above 1.
 */
export function renyiOdometer(delta: Rational, orders: readonly number[]): Odometer<RenyiLoss> {
  checkTargetDelta(delta);
  if (orders.length === 0) throw invalidParameter("orders", "an empty list", "one order or more");
  for (const order of orders) {
    if (!(order > 1 && order < Number.POSITIVE_INFINITY))
      throw invalidParameter("order", order, "above 1, finite");
  }
  const share = divide(delta, ratio(BigInt(orders.length)));
  const excess = orders.map((order) => subtract(fromDouble(order), one));
  let spent: readonly (Rational | null)[] = orders.map(() => zero);
  let ran = false;
  return {
    delta,
    ran(loss) {
      ran = true;
      spent = orders.map((order, i) => {
        const cost = loss.at(order);
        if (!(cost >= 0)) throw invalidParameter("rényi loss", cost, "≥ 0");
        const before = spent[i];
        return before && cost < Number.POSITIVE_INFINITY ? add(before, fromDouble(cost)) : null;
      });
    },
    reading() {
      if (!ran) return zero;
      const readings = spent.flatMap((total, i) =>
        total ? [atOrder(total, excess[i] as Rational, share)] : [],
      );
      return readings.length === 0 ? null : readings.reduce(min);
    },
  };
}

/** Returns the reading of level f of a {@link zcdpOdometer} after ρ has been spent. */
function atLevel(level: bigint, rho: Rational, delta: Rational): Rational {
  const share = divide(delta, ratio((level + 1n) * (level + 2n)));
  const target = ratio(1n << level, leastRho.den);
  // The order that suits ρ_f best; any is sound.
  const excess = sqrtBracket(divide(lnBracket(divide(one, share), 20).hi, target), 20).hi;
  return atOrder(multiply(add(one, excess), rho), excess, share);
}

/** ρ_0 of the levels. */
const leastRho = ratio(1n, 1n << 20n);

/**
 * The same over infinitely many orders, for ρ-zCDP: order f suits ρ_f = 2^(f−20) and takes δ_f = δ/((f + 1)(f + 2)), which sum to δ. The
 * reading is the lower of the two levels about Σρ_i: nearly Σρ + 2·√(Σρ·ln(1/δ_f)). The rate is that of Whitehouse, Ramdas,
 * Rogers & Wu 2023 (arXiv 2203.05481), Sec. 5: advanced composition up to a doubly logarithmic term. Losses with a δ of their own are
 * refused.
 * Source: Whitehouse, Ramdas, Rogers & Wu 2023, Sec. 5, by its own proof
 * Direction: upper
 * Errors: parameter.invalid unless 0 < δ < 1.
 */
export function zcdpOdometer(delta: Rational): Odometer<ZcdpLoss> {
  checkTargetDelta(delta);
  let total = zcdp.zero;
  return {
    delta,
    ran(loss) {
      check("rho", loss.rho);
      if (loss.delta.num !== 0n)
        throw invalidParameter("delta of a loss", toText(loss.delta), "0 in this odometer");
      total = zcdp.compose([total, loss]);
    },
    reading() {
      const { rho } = total;
      if (rho.num === 0n) return zero;
      let level = 0n;
      while (compare(rho, ratio(1n << level, leastRho.den)) > 0) level += 1n;
      const reading = atLevel(level, rho, delta);
      return level === 0n ? reading : min(reading, atLevel(level - 1n, rho, delta));
    },
  };
}
