import { LetheError, lossFromJson } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { type Draws, type Exact, type ExactRows, releaseGroups, releaseTotals } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import type { Charge } from "@lethe/ledger";
import {
  composesOthers,
  fillReleased,
  missing,
  type Plan,
  questionsOf,
  releaseProgram,
  valueWithin,
} from "@lethe/query";
import { releasedValues } from "../over/released-value.ts";
import { type AnsweredRows, answeredRows, type DrawnGroups, ownRows } from "./answered-rows.ts";

/** The exact rows of one question: those of its plan's sums, then those of each of its trees. */
type ExactAnswer = readonly Exact<ExactRows>[];

/**
 * Asks the questions of a text one after the other, and makes their exact rows (those of the plan's sums, then those of each of its trees) an answer: noise and selection of groups (core's mechanisms, the very objects that priced the plan), then
 * estimates with their intervals, HAVING, ORDER BY, LIMIT – post-processing. A question that reads values of earlier answers is asked with these in their place: its price, sensitivities and noise are those of the plan,
 * whatever they are. Needs proof of a payment that covers the
 * plan, all its questions together, and draws of coins that are secure: a test's tape is a type error. Errors: internal.invariant for a charge that is too small,
 * and for a plan whose record is not that of all its questions.
 */
export async function releaseRows(
  plan: Plan,
  exactOf: (question: Plan, at: number) => Promise<ExactAnswer>,
  paid: Charge,
  draws: Draws,
  confidence: number,
): Promise<AnsweredRows> {
  if (!composesOthers(plan))
    throw new LetheError("internal.invariant", "the event of the plan is not that of all its questions", {
      fix: "plan the text again",
    });
  if (!lossFits(lossFromJson(plan.price), paid.loss)) {
    throw new LetheError("internal.invariant", "the charge does not cover the plan", {
      fix: "reserve the plan's own price before releasing it",
    });
  }
  const filled = withValues(plan, confidence);
  const drawn: Required<DrawnGroups>[] = [];
  for (const [at, question] of questionsOf(plan).entries()) {
    const exact = await exactOf(filled(question, drawn), at);
    drawn.push(drawnGroups(question, exact, draws));
  }
  const [{ groups, totals }, ...others] = drawn as [Required<DrawnGroups>, ...Required<DrawnGroups>[]];
  return answeredRows(plan, confidence)(groups, totals, others);
}

/** Prepares a question of the text, and what was drawn for those before it ↦ the question with the values of earlier answers in their place. */
function withValues(
  plan: Plan,
  confidence: number,
): (question: Plan, drawn: readonly Required<DrawnGroups>[]) => Plan {
  const { released } = plan;
  if (!released) return (question) => question;
  const valuesOf = releasedValues(plan, confidence);
  const rowsOf = questionsOf(plan).map((question) => ownRows(question, confidence));
  const relationOf = new Map(released.map((relation) => [relation.sql, relation]));
  return ({ others: _, over: __, released: ___, ...question }, drawn) => {
    const value = valuesOf(drawn.map((groups, at) => elementAt(rowsOf, at)(groups).shown));
    return fillReleased(question, ({ sql, domain }) =>
      valueWithin(domain, value(relationOf.get(sql) ?? missing(sql))),
    );
  };
}

/** Draws the noise of one question, once. */
function drawnGroups(plan: Plan, exact: ExactAnswer, draws: Draws): Required<DrawnGroups> {
  const [rows, ...ofTrees] = exact;
  const program = releaseProgram(plan);
  const groups = releaseGroups(rows!, program, draws, ofTrees);
  return { groups, totals: releaseTotals(rows!, program, groups, draws) };
}
