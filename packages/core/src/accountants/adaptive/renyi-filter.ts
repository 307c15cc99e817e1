import { invalidParameter } from "../../errors/lethe-error.ts";
import { lnBracket } from "../../numeric/bracket.ts";
import {
  add,
  compare,
  divide,
  floorTo,
  fromDouble,
  multiply,
  one,
  type Rational,
  ratio,
  subtract,
  sum,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { type Filter, overspent } from "./filter.ts";

/** A bound of the Rényi divergence at every order asked for: what a RenyiCurve is. */
export interface RenyiLoss {
  at(order: number): number;
}

/** The Rényi divergence of one order that may be spent. */
export interface OrderBudget {
  readonly order: number;
  readonly budget: Rational;
}

function check(budgets: readonly OrderBudget[]): void {
  if (budgets.length === 0) throw invalidParameter("budgets", "an empty list", "one order or more");
  for (const { order, budget } of budgets) {
    if (!(order > 1 && order < Number.POSITIVE_INFINITY))
      throw invalidParameter("order", order, "above 1, finite");
    if (!(compare(budget, zero) >= 0)) throw invalidParameter("budget", toText(budget), "≥ 0");
  }
}

/** Returns the Rényi divergence of a loss at an order as an exact rational; null where it is infinite. */
function costAt(loss: RenyiLoss, order: number): Rational | null {
  const cost = loss.at(order);
  if (!(cost >= 0)) throw invalidParameter("rényi loss", cost, "≥ 0");
  return cost === Number.POSITIVE_INFINITY ? null : fromDouble(cost);
}

type Rule = (affordable: readonly boolean[]) => boolean;

function filterOf(
  granted: readonly OrderBudget[],
  rule: Rule,
  theorem: string,
): Filter<RenyiLoss, readonly OrderBudget[]> {
  check(granted);
  // The caller's list may change later, the grant not.
  const budgets = granted.map(({ order, budget }) => ({ order, budget }));
  // null: exceeded once, and so for ever.
  let spent: readonly (Rational | null)[] = budgets.map(() => zero);
  const after = (loss: RenyiLoss): readonly (Rational | null)[] =>
    budgets.map(({ order, budget }, i) => {
      const before = spent[i];
      const cost = costAt(loss, order);
      if (before === null || before === undefined || cost === null) return null;
      const total = add(before, cost);
      return compare(total, budget) <= 0 ? total : null;
    });
  const admits = (totals: readonly (Rational | null)[]): boolean =>
    rule(totals.map((total) => total !== null));
  const left = (): readonly OrderBudget[] =>
    budgets.flatMap(({ order, budget }, i) => {
      const used = spent[i];
      return used ? [{ order, budget: subtract(budget, used) }] : [];
    });
  return {
    measure: "renyi",
    theorem,
    left,
    covers: (loss) => admits(after(loss)),
    spend(loss) {
      const totals = after(loss);
      if (!admits(totals)) {
        const rest = left().map(
          ({ order, budget }) => `${toText(floorTo(budget, 1_000_000n))} at order ${order}`,
        );
        throw overspent("renyi", rest.join(", ") || "nothing");
      }
      spent = totals;
    },
  };
}

/**
 * Admits while at EVERY order listed the Rényi divergences add up to at most its budget; the whole then has Rényi divergence
 * ≤ budget at each order. Feldman & Zrnic 2021 (arXiv 2008.11193), Thm 4.5; Lécuyer 2021 (arXiv 2103.01379), Thm 1: one order
 * is their theorem, several are that theorem once each, since the filter of all stops no later than the filter of one.
 * Source: Feldman & Zrnic 2021, Thm 4.5; Lécuyer 2021, Thm 1
 * Direction: exact
 * Sums are exact. Errors: parameter.invalid for an order ≤ 1, a negative budget, an empty list.
 */
export function renyiFilter(budgets: readonly OrderBudget[]): Filter<RenyiLoss, readonly OrderBudget[]> {
  return filterOf(
    budgets,
    (affordable) => affordable.every((each) => each),
    "Feldman & Zrnic 2021, Thm 4.5; Lécuyer 2021, Thm 1",
  );
}

export interface RenyiGrant {
  readonly epsilon: Rational;
  readonly delta: Rational;
  /** The orders that may turn out to be the best one. */
  readonly orders: readonly number[];
}

/**
 * Admits while at SOME order of the list the divergences add up to at most what (ε, δ/k) is worth there, k the number of orders;
 * the whole is (ε, δ)-DP. The order that is affordable when all is over depends on the answers, which is why each pays δ/k:
 * with hockey-stick divergences of the k single filters added up. Proof: ./adaptive.proof.md. The worth of an order is that of
 * Canonne, Kamath & Steinke 2020 (arXiv 2004.00010), Prop. 12, rounded down; orders that are worth nothing are left out.
 * Source: Feldman & Zrnic 2021, Thm 4.5, at each order; Canonne, Kamath & Steinke 2020, Prop. 12
 * Direction: upper
 * Errors: parameter.invalid unless ε > 0, 0 < δ < 1, orders > 1, and some order is worth something.
 */
export function renyiFilterFor(grant: RenyiGrant): Filter<RenyiLoss, readonly OrderBudget[]> {
  const { epsilon, delta, orders } = grant;
  if (!(compare(epsilon, zero) > 0)) throw invalidParameter("epsilon", toText(epsilon), "> 0");
  if (!(compare(delta, zero) > 0 && compare(delta, one) < 0)) {
    throw invalidParameter("delta", toText(delta), "above 0 and below 1");
  }
  check(orders.map((order) => ({ order, budget: zero })));
  const share = divide(delta, ratio(BigInt(orders.length)));
  const budgets = orders
    .map((order) => ({ order, budget: worth(fromDouble(order), epsilon, share) }))
    .filter(({ budget }) => compare(budget, zero) > 0);
  if (budgets.length === 0)
    throw invalidParameter("orders", orders.join(", "), "orders at which the budget is worth something");
  return filterOf(
    budgets,
    (affordable) => affordable.some((each) => each),
    "Feldman & Zrnic 2021, Thm 4.5, at each order; union over orders",
  );
}

/** ε − ln(1 − 1/α) + (ln δ + ln α)/(α − 1), rounded down. */
function worth(order: Rational, epsilon: Rational, delta: Rational): Rational {
  const excess = subtract(order, one);
  const bits = 80;
  const tail = sum([lnBracket(delta, bits).lo, lnBracket(order, bits).lo]);
  const shrink = lnBracket(divide(excess, order), bits).hi;
  return subtract(add(epsilon, floorTo(multiply(tail, divide(one, excess)), 1n << 80n)), shrink);
}
