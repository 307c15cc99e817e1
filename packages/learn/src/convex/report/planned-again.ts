import { LetheError } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";

/** Texts of plans that their requests gave in this process, so that a plan is derived again once and not for every run. */
const derivedBefore = new Set<string>();
const mostRemembered = 256;

/**
 * Returns the plan that its own request gives, as plain data of its own. A plan may come from a file: what runs is what is derived anew, so that its noise
 * and its price cannot be written apart.
 * Errors: parameter.invalid for a plan that its request does not give.
 */
export function plannedAgain<Plan extends { readonly request: unknown }>(
  plan: Plan,
  derive: (request: Plan["request"]) => Plan,
): Plan {
  const text = canonicalJson(plan);
  const copy = JSON.parse(text) as Plan;
  if (derivedBefore.has(text)) return copy;
  if (canonicalJson(derive(copy.request)) !== text)
    throw new LetheError("parameter.invalid", "the plan is not what its request gives", {
      fix: "plan the request again",
      fields: { name: "plan" },
    });
  if (derivedBefore.size >= mostRemembered) derivedBefore.clear();
  derivedBefore.add(text);
  return copy;
}
