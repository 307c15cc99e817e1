import { parseRational, type Rational, type RationalInput, ratio, rationalOf } from "@lethe/core";
import { type GaussianBudget, gaussianFor } from "@lethe/core/mechanisms";
import { divide, multiply, one, subtract } from "@lethe/core/numeric";
import { declaredColumn } from "../../model/declared-column.ts";
import { plannedColumn } from "./boosted-column.ts";
import type { BoostingDescription } from "./boosting-description.ts";
import { boostingEvent, boostingSensitivities } from "./boosting-event.ts";
import type { BoostingPlan } from "./boosting-plan.ts";
import { checkDescription } from "./check-description.ts";

/**
 * Plans a training of additive boosting over binned columns, and fits its noise to the budget. All of its noise is Gaussian, so the steps compose
 * as one Gaussian, whose (Δ₂/σ)² is the sum of theirs; the counts have their share, and every step the same part of the rest.
 * Source: Nori, Caruana, Bu, Shen & Kulkarni 2021, Alg. 2, with Newton steps; Dong, Roth & Su 2022, Cor. 3.3. Proof: ../boosting.proof.md.
 * Errors: parameter.invalid, that names the number and its domain.
 * @example
 * const age = { kind: "number", name: "age", bounds: [18, 90], nullable: false };
 * const member = { kind: "category", name: "member", categories: [false, true], nullable: false };
 * const plan = planBoosting({ target: member, features: [age], adjacency: "add-or-remove-one", budget: { epsilon: 1, delta: 1e-6 } });
 * price(plan.event, { measure: "approximate", delta: parseRational("1e-6") }) // => ε at most 1
 */
export function planBoosting(description: BoostingDescription): BoostingPlan {
  checkDescription(description);
  const { adjacency, budget, bins = 16, rounds = 8, rate = 1, clip = 1, rows = 1 } = description;
  const { countShare = 0.2, shrinkage = 1 } = description;
  const columns = description.features.length;
  const { counts, step } = boostingSensitivities(adjacency, columns);
  const muSquared = muSquaredOf(budget);
  const share = rationalOf(countShare, "countShare");
  const rest = multiply(muSquared, subtract(one, share));
  const plan = {
    kind: "boosting-plan",
    version: 1,
    target: declaredColumn(description.target),
    features: description.features.map(plannedColumn),
    ...{ adjacency, bins, rounds, rate, clip, rows, shrinkage },
    countNoise: gaussianFor({ l2Squared: counts.l2Squared, muSquared: multiply(muSquared, share) }),
    stepNoise: gaussianFor({
      l2Squared: step.l2Squared,
      muSquared: divide(rest, ratio(BigInt(rounds * columns))),
    }),
  } as const;
  return { ...plan, event: boostingEvent(plan) };
}

/** The (Δ₂/σ)² that a budget buys, rounded down. */
function muSquaredOf(budget: GaussianBudget<RationalInput>): Rational {
  const noise = gaussianFor({ l2Squared: 1n, ...budget });
  const sigma = parseRational("sigma" in noise ? noise.sigma : "1");
  return divide(one, multiply(sigma, sigma));
}
