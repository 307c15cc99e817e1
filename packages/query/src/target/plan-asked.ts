import { fromDouble, LetheError, multiply, one, type Rational, toDouble, toText } from "@lethe/core";
import type { BoundQuery, QuestionOptions } from "../bind/bound-query.ts";
import { refuse } from "../bind/refuse.ts";
import { expectedGroupRows, expectedRows } from "../explain/expected-group-rows.ts";
import { hasTarget, mergeOptions, type PlanOptions } from "../plan/merge-options.ts";
import type { Plan } from "../plan/plan.ts";
import { planQuestion } from "../plan/plan-question.ts";
import type { Policy } from "../policy/policy.ts";
import { type AnswerError, answerErrors, widestError } from "./answer-errors.ts";
import { epsilonAt, lastPlace } from "./four-digits.ts";
import { leastEpsilon } from "./least-epsilon.ts";
import type { ReachedTarget } from "./reached-target.ts";

/** A plan, and the target error that set its price where one was stated. */
export interface AskedPlan {
  readonly plan: Plan;
  readonly target: ReachedTarget | null;
}

/**
 * Plans a question at its stated ε, or at the least ε of four digits at which no answer's interval is wider than its target
 * error says. A function of question, policy and options alone, as every plan; `confidence` is that of the intervals.
 * Errors: those of planQuestion; query.option where a target stands beside an ε, cannot be judged in advance, or is out of
 * reach.
 */
export function planAsked(
  question: BoundQuery,
  policy: Policy,
  stated: PlanOptions,
  policyHash: string,
  confidence = 0.95,
): AskedPlan {
  const options = mergeOptions(question.options, stated);
  if (!hasTarget(options)) return { plan: planQuestion(question, policy, stated, policyHash), target: null };
  checkTarget(options);
  const planAt = (epsilon: Rational): Plan =>
    planQuestion({ ...question, options: withoutTarget(options, epsilon) }, policy, {}, policyHash);
  const target = targetOf(options, planAt(one), policy, confidence);
  const errorAt = (epsilon: Rational): number => widestError(planAt(epsilon), confidence, target.rows);
  const epsilon = leastEpsilon(errorAt, target.halfWidth);
  if (epsilon === null) refuseUnreachable(target, answerErrors(planAt(greatest), confidence, target.rows));
  const plan = planAt(epsilon);
  const reached = widestError(plan, confidence, target.rows);
  if (!(reached <= target.halfWidth))
    throw new LetheError("internal.invariant", "a price was found that misses its target", {
      fix: "report this with the question asked",
    });
  return { plan, target: { ...target, reached, epsilon: toText(epsilon) } };
}

const greatest = epsilonAt(lastPlace);

/** Errors: query.option, naming the answer that stays widest. */
function refuseUnreachable(
  { halfWidth, rows }: Pick<ReachedTarget, "halfWidth" | "rows">,
  errors: readonly AnswerError[],
): never {
  const widest = errors.reduce((wide, next) => ((next.halfWidth ?? 0) > (wide.halfWidth ?? 0) ? next : wide));
  const where = widest.bySize ? ` for the least favourable values in a group of ${rows} rows` : "";
  return refuse(
    "query.option",
    `no epsilon up to 1000000 gives ${JSON.stringify(widest.name)} an error of ${Number(halfWidth.toPrecision(6))}${where}`,
    widest.bySize
      ? "state a larger target_error, or epsilon: explain shows the error of typical values too"
      : "state a larger target_error",
  );
}

/** The question without its target, at a price. */
export function withoutTarget(options: QuestionOptions, epsilon: Rational | null): QuestionOptions {
  return { ...options, epsilon, targetError: null, targetErrorRelative: null, targetRows: null };
}

function checkTarget({ epsilon, targetError, targetErrorRelative }: QuestionOptions): void {
  if (epsilon !== null)
    refuse(
      "query.option",
      "a price and a target error are stated together, and one follows from the other",
      "leave epsilon out, or the target",
    );
  if (targetError !== null && targetErrorRelative !== null)
    refuse("query.option", "two target errors are stated", "leave target_error or target_error_relative out");
  if (targetError === null && targetErrorRelative === null)
    refuse(
      "query.option",
      "target_rows says for which groups a target is meant, and no target is stated",
      "write target_error = 50 too, or leave target_rows out",
    );
}

/** What is to be reached. Any plan of the question will do: which answers it has does not depend on ε. */
function targetOf(
  { targetError, targetErrorRelative, targetRows }: QuestionOptions,
  plan: Plan,
  policy: Policy,
  confidence: number,
): Omit<ReachedTarget, "reached" | "epsilon"> {
  const isAbsolute = targetError !== null;
  const rows = targetRows ?? expectedGroupRows(plan, policy);
  const errors = answerErrors(plan, confidence, rows);
  checkJudged(errors, rows);
  const bySize = errors.some((error) => error.bySize);
  if (isAbsolute)
    return { halfWidth: toDouble(targetError, "down"), relative: null, rows: bySize ? rows : null };
  const share = targetErrorRelative!;
  const expected = expectedRows(plan, policy);
  if (expected === null)
    refuse(
      "query.option",
      "target_error_relative is a share of expected_rows, and the policy states none for what the question reads",
      "write expected_rows below the table in the policy, or state target_error",
    );
  const other = errors.find(({ kind }) => kind !== "count");
  if (other)
    refuse(
      "query.option",
      `target_error_relative is a share of a number of rows, and ${JSON.stringify(other.name)} is none`,
      "state target_error, in the units of the answers",
    );
  return {
    halfWidth: toDouble(multiply(share, fromDouble(expected)), "down"),
    relative: { share: toText(share), expectedRows: expected },
    rows: null,
  };
}

function checkJudged(errors: readonly AnswerError[], rows: number | null): void {
  const quantile = errors.find(({ kind }) => kind === "quantile");
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
