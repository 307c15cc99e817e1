import { LetheError } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";

/**
 * Returns the plan that its own request gives. A plan is plain data, which may come from a file: what runs is what is derived anew, so that its noise
 * and its price cannot be written apart.
 * Errors: parameter.invalid for a plan that its request does not give.
 */
export function plannedAgain<Plan extends { readonly request: unknown }>(
  plan: Plan,
  derive: (request: Plan["request"]) => Plan,
): Plan {
  const derived = derive(plan.request);
  if (canonicalJson(derived) !== canonicalJson(plan))
    throw new LetheError("parameter.invalid", "the plan is not what its request gives", {
      fix: "plan the request again",
      fields: { name: "plan" },
    });
  return derived;
}
