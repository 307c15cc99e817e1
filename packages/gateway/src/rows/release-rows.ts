import { LetheError, lossFromJson } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { type Draws, type Exact, type ExactRows, releaseGroups, releaseTotals } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import type { Charge } from "@lethe/ledger";
import { composesOthers, type Plan, releaseProgram } from "@lethe/query";
import { type AnsweredRows, answeredRows, type DrawnGroups } from "./answered-rows.ts";

/** The exact rows of one question: those of its plan's sums, then those of each of its trees. */
type ExactAnswer = readonly Exact<ExactRows>[];

/**
 * Exact rows (those of the plan's sums, then those of each of its trees; and those of every other question of the text, in order) to an answer: noise and selection of groups (core's mechanisms, the very objects that priced the plan), then
 * estimates with their intervals, HAVING, ORDER BY, LIMIT – post-processing. Needs proof of a payment that covers the
 * plan, all its questions together, and draws of coins that are secure: a test's tape is a type error. Errors: internal.invariant for a charge that is too small,
 * and for a plan whose record is not that of all its questions.
 */
export function releaseRows(
  plan: Plan,
  exact: readonly Exact<ExactRows>[],
  paid: Charge,
  draws: Draws,
  confidence: number,
  exactOthers: readonly ExactAnswer[] = [],
): AnsweredRows {
  if (!composesOthers(plan))
    throw new LetheError("internal.invariant", "the event of the plan is not that of all its questions", {
      fix: "plan the text again",
    });
  if (!lossFits(lossFromJson(plan.price), paid.loss)) {
    throw new LetheError("internal.invariant", "the charge does not cover the plan", {
      fix: "reserve the plan's own price before releasing it",
    });
  }
  const { groups, totals } = drawnGroups(plan, exact, draws);
  const others = (plan.others ?? []).map((other, at) =>
    drawnGroups(other.plan, elementAt(exactOthers, at), draws),
  );
  return answeredRows(plan, confidence)(groups, totals, others);
}

/** Draws the noise of one question, once. */
function drawnGroups(plan: Plan, exact: ExactAnswer, draws: Draws): Required<DrawnGroups> {
  const [rows, ...ofTrees] = exact;
  const program = releaseProgram(plan);
  const groups = releaseGroups(rows!, program, draws, ofTrees);
  return { groups, totals: releaseTotals(rows!, program, groups, draws) };
}
