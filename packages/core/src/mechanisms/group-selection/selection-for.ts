import { gaussianFromEpsilon } from "../../conversions/gaussian/gaussian-to-approximate.ts";
import { floorRho } from "../../conversions/search/loss-grid.ts";
import { leastTrue } from "../../conversions/search/search.ts";
import { invalidParameter, LetheError } from "../../errors/lethe-error.ts";
import type { SelectionRule } from "../../events/event.ts";
import {
  compare,
  divide,
  multiply,
  one,
  type Rational,
  ratio,
  subtract,
  toDouble,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { ndtri } from "../../numeric/special/ndtri.ts";
import { rootDown, rootUp } from "../root.ts";
import { gaussianThresholdDelta } from "./gaussian-threshold.ts";
import { halfwayUnits } from "./group-selection.ts";
import { expectedLength, leastTableDelta, longestTable } from "./keep-table.ts";
import { laplaceThresholdDelta } from "./laplace-threshold.ts";

/** The budget for choosing the groups. */
export type SelectionBudget =
  | { readonly measure: "approximate"; readonly epsilon: Rational; readonly delta: Rational }
  | { readonly measure: "zcdp"; readonly rho: Rational; readonly delta: Rational };

export type SelectionRequest = SelectionBudget & {
  /** m: the groups whose unit count one unit can change. */
  readonly groups: bigint;
  /** Show only groups of at least so many units; 1 unless stated. */
  readonly minUnits?: bigint;
};

/** The budget of one group under rules that compose as (ε′, δ′), and the Gaussians worth trying: (variance, δ′). */
interface Shares {
  readonly epsilon: Rational;
  readonly delta: Rational;
  readonly gaussians: readonly { readonly variance: Rational; readonly delta: Rational }[];
}

/** Parts of δ that a Gaussian threshold may spend on groups that appear; the rest prices its noise. */
const splits: readonly Rational[] = [ratio(1n, 8n), ratio(1n, 2n), ratio(7n, 8n)];

const sharesOf: {
  readonly [M in SelectionBudget["measure"]]: (
    budget: Extract<SelectionBudget, { measure: M }>,
    groups: Rational,
  ) => Shares;
} = {
  approximate: ({ epsilon, delta }, groups) => ({
    epsilon: divide(epsilon, groups),
    delta: divide(delta, groups),
    // For one group the truncated-geometric rule is the optimum, and nothing else need be tried. A Gaussian's noise is priced at a δ of 2^-256
    // and more.
    gaussians:
      compare(groups, one) === 0 || compare(delta, ratio(1n, 1n << 253n)) < 0
        ? []
        : splits.map((split) => {
            const appearing = multiply(delta, split);
            const muSquared = gaussianFromEpsilon(epsilon, subtract(delta, appearing));
            return { variance: divide(groups, muSquared), delta: divide(appearing, groups) };
          }),
  }),
  zcdp({ rho, delta }, groups) {
    const asked = floorRho(rho);
    if (!(compare(asked, zero) > 0)) throw invalidParameter("rho", toText(rho), "at least 2^-60");
    const group = { squared: divide(multiply(ratio(2n), asked), groups), delta: divide(delta, groups) };
    return {
      epsilon: rootDown(group.squared),
      delta: group.delta,
      gaussians: [{ variance: divide(one, group.squared), delta: group.delta }],
    };
  },
};

function leastThreshold(guess: number, fits: (threshold: bigint) => boolean): string {
  return (leastTrue(BigInt(Math.max(0, Math.ceil(guess) - 1)), (k) => fits(k + 1n)) + 1n).toString();
}

/** The rules that were found last, by variance and δ: planning asks for the same ones again and again. */
const rules = new Map<string, SelectionRule>();
const mostRules = 64;

/** A double to begin a search at: a δ below all doubles is taken for the least of them. */
function guessable(delta: Rational): number {
  return Math.max(Number.MIN_VALUE, toDouble(delta, "down"));
}

function laplaceRule(epsilon: Rational, delta: Rational): SelectionRule {
  const scale = divide(one, epsilon);
  const guess = 1 - toDouble(scale, "up") * Math.log(guessable(delta));
  const threshold = leastThreshold(guess, (t) => compare(laplaceThresholdDelta(scale, t), delta) <= 0);
  return { rule: "laplace-threshold", scale: toText(scale), threshold };
}

function gaussianRule(variance: Rational, delta: Rational): SelectionRule {
  const sigma = rootUp(variance);
  const guess = 1.5 - toDouble(sigma, "up") * ndtri(guessable(delta));
  const threshold = leastThreshold(guess, (t) => compare(gaussianThresholdDelta(sigma, t), delta) <= 0);
  return { rule: "gaussian-threshold", sigma: toText(sigma), threshold };
}

function knownRule(variance: Rational, delta: Rational): SelectionRule {
  const name = `${toText(variance)} ${toText(delta)}`;
  const known = rules.get(name);
  if (known) return known;
  const found = Object.freeze(gaussianRule(variance, delta));
  if (rules.size >= mostRules) rules.clear();
  rules.set(name, found);
  return found;
}

/**
 * The rule that shows half of the smallest groups at the given price: least {@link halfwayUnits} among truncated-geometric,
 * Laplace and Gaussian thresholds. Its certified price never exceeds the budget.
 * Source: the three rules of this folder, each at its certified price.
 * Direction: upper, the price never exceeds the budget.
 * Errors: query.missing-delta without a δ (pure DP has no private group keys); parameter.invalid for a budget that is not
 * positive.
 * @example selectionFor({ measure: "approximate", epsilon: one, delta: parseRational("1e-6"), groups: 1n })
 *   // => { rule: "truncated-geometric", epsilon: "1", delta: "1/1000000" }
 */
export function selectionFor(request: SelectionRequest): SelectionRule {
  const { groups, minUnits = 1n } = request;
  if (!Object.hasOwn(sharesOf, request.measure) || !(compare(request.delta, zero) > 0)) {
    throw new LetheError("query.missing-delta", "private group keys need a δ", {
      fix: "give a δ, or declare the groups public in the policy",
      fields: { measure: request.measure },
    });
  }
  if (!(compare(request.delta, one) < 0)) throw invalidParameter("delta", toText(request.delta), "below 1");
  if (!(groups >= 1n)) throw invalidParameter("groups", groups, "an integer ≥ 1");
  if (!(minUnits >= 1n)) throw invalidParameter("minUnits", minUnits, "an integer ≥ 1");
  const sharing = sharesOf[request.measure] as (budget: SelectionBudget, groups: Rational) => Shares;
  const { epsilon, delta, gaussians } = sharing(request, ratio(groups));
  if (!(compare(epsilon, zero) > 0)) throw invalidParameter("epsilon", toText(epsilon), "> 0");

  const candidates = gaussians.map((noise) => knownRule(noise.variance, noise.delta));
  const hasTable =
    compare(delta, leastTableDelta) >= 0 &&
    expectedLength(toDouble(epsilon, "down"), toDouble(delta, "down")) < 0.99 * longestTable;
  if (hasTable) {
    candidates.unshift({ rule: "truncated-geometric", epsilon: toText(epsilon), delta: toText(delta) });
  } else {
    candidates.unshift(laplaceRule(epsilon, delta));
  }
  const { rule: best } = candidates
    // Asking also builds the rule's table, so that what is returned can be drawn.
    .map((rule) => ({ rule, size: halfwayUnits(rule) }))
    .reduce((a, b) => (b.size < a.size ? b : a));
  return minUnits === 1n ? best : { ...best, minUnits: minUnits.toString() };
}
