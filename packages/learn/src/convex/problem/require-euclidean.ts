import type { ConvexProblem } from "./convex-problem.ts";
import { violatedCondition } from "./violated-condition.ts";

/** Errors: parameter.invalid, naming the condition, for features that are bounded in another norm than ℓ2. */
export function requireEuclidean({ features }: ConvexProblem, theorem: string): void {
  if (features.norm === "l2") return;
  throw violatedCondition({
    ...{ name: "features.norm", value: features.norm, theorem },
    condition: "losses that are Lipschitz in ℓ2",
    fix: 'declare the ℓ2 norm of features, or use Frank–Wolfe for features that are bounded in "max"',
  });
}
