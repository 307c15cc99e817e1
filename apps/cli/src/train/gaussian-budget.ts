import { LetheError, type PrivacyLoss, type Rational } from "@lethe/core";

/** A price that Gaussian noise can be fitted to. */
export type GaussianShare =
  | { readonly epsilon: Rational; readonly delta: Rational }
  | { readonly rho: Rational };

/**
 * Returns a price in the form that Gaussian noise is fitted to; `what` is the noun of the refusal. Errors: query.unsupported in pure DP;
 * query.missing-delta for a δ of 0.
 */
export function gaussianBudget(budget: PrivacyLoss, what: string): GaussianShare {
  if (budget.measure === "zcdp") return { rho: budget.rho };
  if (budget.measure === "pure")
    throw new LetheError("query.unsupported", `${what} has Gaussian noise, which pure DP has no price for`, {
      fix: "keep the account in approximate DP or zCDP: measure: approximate below budget in the policy",
    });
  if (budget.delta.num === 0n)
    throw new LetheError("query.missing-delta", `${what} has Gaussian noise, which needs a delta`, {
      fix: "state delta, as in --delta 1e-6; well below 1/people is usual",
    });
  return { epsilon: budget.epsilon, delta: budget.delta };
}
