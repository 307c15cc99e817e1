import { LetheError, parseRational, type Rational, toText } from "@lethe/core";
import { compare, elementAt, one } from "@lethe/core/numeric";
import type { Policy } from "../../policy/policy.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { QuestionOptions, ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { hasTarget, mergeOptions, type PlanOptions } from "../merge-options.ts";
import { requireLeast } from "../passes/least-price.ts";
import type { Plan } from "../plan.ts";
import { planQuestion } from "../question/plan-question.ts";
import { type AnswerError, answerErrors } from "./answer-errors.ts";
import { checkAdvantage } from "./check-advantage.ts";
import { checkBoundsKnown } from "./check-bounds-known.ts";
import { checkOneQuestion } from "./check-one-question.ts";
import { checkTarget } from "./check-target.ts";
import { epsilonAt, lastPlace } from "./four-digits.ts";
import { leastEpsilon } from "./least-epsilon.ts";
import { planAtAdvantage, type ReachedAdvantage } from "./plan-at-advantage.ts";
import type { ReachedTarget, ReleasedNumbers } from "./reached-target.ts";
import { type StatedWidths, statedWidths } from "./stated-widths.ts";

/** A plan, and what set its price where that was not stated. */
export interface AskedPlan {
  readonly plan: Plan;
  readonly target: ReachedTarget | null;
  /** The advantage that set its price, where one was stated. */
  readonly advantage: ReachedAdvantage | null;
}

/**
 * Plans a question at its stated ε, or at the least ε of four digits at which no answer's interval is wider than its target
 * error says; after a pilot at no more than its cap; or at the greatest such ε at which no test of membership gains more than its advantage says. A function of question, policy, options and `released` alone, which are
 * the public numbers that a share is of (of the release that the options name, or of the pilot); `confidence` is that of the
 * intervals. Errors: those of planQuestion; query.option where a target stands beside an ε, cannot be judged in advance, is a
 * share of nothing, or is out of reach.
 */
export function planAsked(
  question: ResolvedQuery,
  policy: Policy,
  stated: PlanOptions,
  policyHash: string,
  confidence = 0.95,
  released: ReleasedNumbers | null = null,
): AskedPlan {
  const options = mergeOptions(question.options, stated);
  if (!hasTarget(options)) {
    requireLeast(options.epsilon, policy);
    return { plan: planQuestion(question, policy, stated, policyHash), target: null, advantage: null };
  }
  const planAt = (epsilon: Rational): Plan =>
    planQuestion(withOptions(question, withoutTarget(options, epsilon)), policy, {}, policyHash);
  if (options.advantage !== null) {
    checkAdvantage(options);
    const planned = planAtAdvantage(options.advantage, planAt);
    requireLeast(parseRational(planned.advantage.epsilon), policy);
    return { ...planned, target: null };
  }
  checkTarget(options);
  checkBoundsKnown(question);
  checkOneQuestion(question);
  const isOfRelease = options.targetRelease !== null || options.pilotEpsilon !== null;
  if (isOfRelease !== (released !== null)) throw unresolved();
  const target = statedWidths(options, planAt(one), policy, confidence, released);
  const errorsAt = (plan: Plan): readonly AnswerError[] => answerErrors(plan, confidence, target.rows);
  const excessAt = (epsilon: Rational): number => hardest(errorsAt(planAt(epsilon)), target).excess;
  const least = leastEpsilon(excessAt, 1);
  const cap = options.maxEpsilon;
  const isCut = cap !== null && (least === null || compare(least, cap) > 0);
  const epsilon = isCut ? cap : least;
  if (epsilon === null) return refuseUnreachable(target, errorsAt(planAt(greatest)));
  requireLeast(epsilon, policy);
  const plan = planAt(epsilon);
  const reached = reachedTarget(target, errorsAt(plan), { options, epsilon, released });
  if (reached.capped && !isCut)
    throw new LetheError("internal.invariant", "a price was found that misses its target", {
      fix: "report this with the question asked",
    });
  return { plan, target: reached, advantage: null };
}

function unresolved(): LetheError {
  return new LetheError("internal.invariant", "a share of a release was planned without its numbers", {
    fix: "hand the release's numbers to the planner",
  });
}

const greatest = epsilonAt(lastPlace);

/** The answer that is farthest beyond its half-width, and its error as a share of that: at most 1 where all are reached. */
function hardest(
  errors: readonly AnswerError[],
  { answers }: StatedWidths,
): { readonly excess: number; readonly at: number } {
  const excess = errors.map(({ halfWidth }, at) =>
    shareOf(halfWidth ?? Number.POSITIVE_INFINITY, elementAt(answers, at).halfWidth),
  );
  const most = Math.max(0, ...excess);
  return { excess: most, at: Math.max(0, excess.indexOf(most)) };
}

/** At most 1 exactly where the error is at most the width: rounding decides nothing. */
function shareOf(error: number, width: number): number {
  if (error <= width) return error === 0 ? 0 : Math.min(1, error / width);
  return Math.max(1 + Number.EPSILON, error / width);
}

function reachedTarget(
  { answers, relative, rows }: StatedWidths,
  errors: readonly AnswerError[],
  {
    options,
    epsilon,
    released,
  }: {
    readonly options: QuestionOptions;
    readonly epsilon: Rational;
    readonly released: ReleasedNumbers | null;
  },
): ReachedTarget {
  const { at, excess } = hardest(errors, { answers, relative, rows });
  const reached = errors.map(({ halfWidth }) => (Number.isFinite(halfWidth) ? halfWidth : null));
  return {
    halfWidth: elementAt(answers, at).halfWidth,
    relative,
    released:
      released === null
        ? null
        : {
            share: toText(options.targetErrorRelative!),
            requestId: released.requestId,
            answers: answers.map(({ name, halfWidth, of }, place) => ({
              name,
              ...of!,
              halfWidth,
              reached: reached[place]!,
            })),
          },
    rows,
    reached: reached[at]!,
    epsilon: toText(epsilon),
    capped: !(excess <= 1),
  };
}

/** Errors: query.option, naming the answer that stays widest. */
function refuseUnreachable(target: StatedWidths, errors: readonly AnswerError[]): never {
  const { at } = hardest(errors, target);
  const [widest, { halfWidth }] = [elementAt(errors, at), elementAt(target.answers, at)];
  const where = widest.bySize ? ` for the least favourable values in a group of ${target.rows} rows` : "";
  return refuse(
    "query.option",
    `no epsilon up to 1000000 gives ${JSON.stringify(widest.name)} an error of ${Number(halfWidth.toPrecision(6))}${where}`,
    widest.bySize
      ? "state a larger target_error, or epsilon: explain shows the error of typical values too"
      : "state a larger target_error",
  );
}

/** The question, and the others of its text, with these options: all of one text state the same. */
function withOptions({ others, ...question }: ResolvedQuery, options: QuestionOptions): ResolvedQuery {
  return {
    ...question,
    options,
    ...(others
      ? { others: others.map(({ name, query }) => ({ name, query: withOptions(query, options) })) }
      : {}),
  };
}

/** The question without its target, at a price. */
export function withoutTarget(options: QuestionOptions, epsilon: Rational | null): QuestionOptions {
  const none = {
    advantage: null,
    targetError: null,
    targetErrorRelative: null,
    targetRelease: null,
    targetRows: null,
  };
  return { ...options, epsilon, ...none, pilotEpsilon: null, maxEpsilon: null };
}
