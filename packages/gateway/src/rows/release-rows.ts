import { LetheError, lossFromJson } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { type Draws, type Exact, type ExactRows, releaseGroups, releaseTotals } from "@lethe/core/mechanisms";
import type { Charge } from "@lethe/ledger";
import { type Plan, releaseProgram } from "@lethe/query";
import { type AnsweredRows, answeredRows } from "./answered-rows.ts";

/**
 * Exact rows (those of the plan's sums, then those of each of its trees) to an answer: noise and selection of groups (core's mechanisms, the very objects that priced the plan), then
 * estimates with their intervals, HAVING, ORDER BY, LIMIT – post-processing. Needs proof of a payment that covers the
 * plan, and draws of coins that are secure: a test's tape is a type error. Errors: internal.invariant for a charge that is too small.
 */
export function releaseRows(
  plan: Plan,
  exact: readonly Exact<ExactRows>[],
  paid: Charge,
  draws: Draws,
  confidence: number,
): AnsweredRows {
  if (!lossFits(lossFromJson(plan.price), paid.loss)) {
    throw new LetheError("internal.invariant", "the charge does not cover the plan", {
      fix: "reserve the plan's own price before releasing it",
    });
  }
  const [rows, ...ofTrees] = exact;
  const program = releaseProgram(plan);
  const groups = releaseGroups(rows!, program, draws, ofTrees);
  const totals = releaseTotals(rows!, program, groups, draws);
  return answeredRows(plan, confidence)(groups, totals);
}
