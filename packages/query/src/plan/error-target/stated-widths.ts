import { type Rational, toDouble, toText } from "@lethe/core";
import { fromDouble, multiply } from "@lethe/core/numeric";
import { familyOf } from "../../aggregates/family-of.ts";
import type { Policy } from "../../policy/policy.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { QuestionOptions } from "../../resolve/names/resolved-query.ts";
import { expectedGroupRows, expectedRows } from "../expected-error/expected-group-rows.ts";
import { groupingsOf } from "../groupings.ts";
import type { Plan } from "../plan.ts";
import { type AnswerError, answerErrors } from "./answer-errors.ts";
import type { ReachedTarget, ReleasedNumbers } from "./reached-target.ts";
import { typicalSize } from "./typical-size.ts";

/** The half-width to be reached for each answer, in the order of {@link answerErrors}. */
export interface StatedWidths extends Pick<ReachedTarget, "relative" | "rows"> {
  readonly answers: readonly StatedWidth[];
}

export interface StatedWidth {
  readonly name: string;
  readonly halfWidth: number;
  /** The released numbers that it is a share of. */
  readonly of: { readonly values: number; readonly typical: number } | null;
}

/**
 * Returns the half-widths that a question's options ask for. Any plan of the question will do, since its answers do not depend on
 * ε. Errors: query.option where they cannot be judged, or are shares of nothing.
 */
export function statedWidths(
  options: QuestionOptions,
  plan: Plan,
  policy: Policy,
  confidence: number,
  released: ReleasedNumbers | null,
): StatedWidths {
  const { targetError, targetErrorRelative, targetRows } = options;
  const rows = targetRows ?? expectedGroupRows(plan, policy);
  const errors = answerErrors(plan, confidence, rows);
  checkJudged(errors, rows);
  const atRows = errors.some(({ bySize }) => bySize) ? rows : null;
  const alike = (halfWidth: number): StatedWidths["answers"] =>
    errors.map(({ name }) => ({ name, halfWidth, of: null }));
  if (targetError !== null)
    return { answers: alike(toDouble(targetError, "down")), relative: null, rows: atRows };
  const share = targetErrorRelative!;
  if (released !== null) {
    const isCapped = options.pilotEpsilon !== null;
    return { answers: sharesOf(released, share, errors, plan, isCapped), relative: null, rows: atRows };
  }
  const expected = expectedRowsOf(plan, policy, errors);
  return {
    answers: alike(toDouble(multiply(share, fromDouble(expected)), "down")),
    relative: { share: toText(share), expectedRows: expected },
    rows: null,
  };
}

/** Returns the rows that the policy expects, which the share refers to. Errors: query.option where the share would be of nothing known. */
function expectedRowsOf(plan: Plan, policy: Policy, errors: readonly AnswerError[]): number {
  const expected = expectedRows(plan, policy);
  if (expected === null)
    refuse(
      "query.option",
      "target_error_relative is a share of expected_rows, but the policy states none for the tables of this question",
      "write expected_rows below the table in the policy, name an earlier release (target_release), ask a pilot first (pilot_epsilon), or state target_error",
    );
  const other = errors.find(({ kind }) => kind === "computed" || !familyOf({ kind }).isCount);
  if (other)
    refuse(
      "query.option",
      `target_error_relative is a share of a number of rows, and ${JSON.stringify(other.name)} is not a count of rows`,
      "state target_error in the units of the answers, or what the share is of: target_release, or pilot_epsilon",
    );
  return expected;
}

/**
 * Returns the widths as shares of released numbers. A pilot may show nothing, or 0: the price that it suggests is capped. Any
 * other release that does so is refused.
 */
function sharesOf(
  { requestId, columns }: ReleasedNumbers,
  share: Rational,
  errors: readonly AnswerError[],
  plan: Plan,
  isCapped: boolean,
): readonly StatedWidth[] {
  if (groupingsOf(plan).length > 1)
    refuse(
      "query.option",
      "a share of released numbers gives one width per column, but totals and their groups share columns",
      "state target_error, or ask for one grouping",
    );
  return errors.map(({ name, column }) => {
    const values = columns.get(column);
    if (values === undefined)
      refuse(
        "query.option",
        `the release ${JSON.stringify(requestId)} has no column ${JSON.stringify(column)} of numbers`,
        "give the answers the names that they have there (COUNT(*) AS n)",
      );
    const typical = typicalSize(values);
    const halfWidth = toDouble(multiply(share, fromDouble(typical)), "down");
    if (!(halfWidth > 0 || isCapped))
      refuse(
        "query.option",
        `the release ${JSON.stringify(requestId)} holds no number above 0 in ${JSON.stringify(column)} to take a share of`,
        "state target_error, or ask a pilot first (pilot_epsilon and max_epsilon)",
      );
    return { name, halfWidth, of: { values: values.length, typical } };
  });
}

function checkJudged(errors: readonly AnswerError[], rows: number | null): void {
  const quantile = errors.find(({ kind }) => kind !== "computed" && !familyOf({ kind }).widthIsKnown);
  if (quantile)
    refuse(
      "query.option",
      `the error of ${JSON.stringify(quantile.name)} depends on how far values lie apart, so no price can be found for it`,
      "state epsilon; EXPLAIN PRIVACY shows the error where values are spread evenly over their bounds",
    );
  const computed = errors.find(({ halfWidth, bySize }) => halfWidth === null && !bySize);
  if (computed)
    refuse(
      "query.option",
      `the error of ${JSON.stringify(computed.name)} depends on other released values, so no price can be found for it`,
      "ask for the aggregates that it is computed from, or state epsilon",
    );
  const sized = errors.find(({ bySize }) => bySize);
  if (sized && rows === null)
    refuse(
      "query.option",
      `the error of ${JSON.stringify(sized.name)} depends on the size of its group`,
      "state target_rows = 100, the rows of the smallest group that the target is meant for, or expected_rows in the policy",
    );
}
