import type { ProblemConstants } from "./convex-problem.ts";
import { violatedCondition } from "./violated-condition.ts";

/** Returns β. Errors: parameter.invalid, naming the condition, for a loss whose slope jumps. */
export function requireSmooth(
  { smoothness }: ProblemConstants,
  { loss, theorem }: { readonly loss: string; readonly theorem: string },
): number {
  if (smoothness !== null) return smoothness;
  throw violatedCondition({
    ...{ name: "loss", value: loss, theorem },
    condition: "a smooth loss (a Lipschitz slope), so that steps contract",
    fix: 'use "smooth-hinge" in place of "hinge", or noisy descent, which needs no smoothness',
  });
}

/** Errors: parameter.invalid, naming the condition, for steps that do not contract: η > 2/β. */
export function requireContraction(stepSize: number, smoothness: number, theorem: string): void {
  if (!(stepSize > 0 && stepSize < Number.POSITIVE_INFINITY && stepSize * smoothness <= 2))
    throw violatedCondition({
      ...{ name: "stepSize", value: stepSize, theorem },
      condition: `0 < η ≤ 2/β, here at most ${smoothness > 0 ? 2 / smoothness : "any"}`,
      fix: "leave out the step size, or take a smaller one",
    });
}
