import { LetheError, lossFromJson } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { type Draws, type Exact, type ExactRows, releaseGroups } from "@lethe/core/mechanisms";
import { lastElement } from "@lethe/core/numeric";
import type { Charge } from "@lethe/ledger";
import { type Plan, releaseProgram, stagePlan } from "@lethe/query";

/**
 * The noisy counts of a plan's stages, from which its bounds follow. `exact` are the rows of the stages' own sums, then of the cells
 * of each. Paid for with all that follows: `paid` covers the whole plan. Errors: internal.invariant for a charge that is too small.
 */
export function learnBounds(
  plan: Plan,
  exact: readonly Exact<ExactRows>[],
  paid: Charge,
  draws: Draws,
): readonly (readonly number[])[] {
  if (!lossFits(lossFromJson(plan.price), paid.loss)) {
    throw new LetheError("internal.invariant", "the charge does not cover the plan", {
      fix: "reserve the plan's own price before learning its bounds",
    });
  }
  const [sums, ...cells] = exact;
  const [group] = releaseGroups(sums!, releaseProgram(stagePlan(plan)), draws, cells);
  return group!.trees.map((levels) => [...lastElement(levels)]);
}
