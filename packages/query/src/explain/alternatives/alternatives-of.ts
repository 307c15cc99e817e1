import { LetheError, lossFromJson, type PrivacyLossText, type Rational, toDouble, toText } from "@lethe/core";
import { keepProbability } from "@lethe/core/mechanisms";
import { compare, zero } from "@lethe/core/numeric";
import { answerErrors } from "../../plan/error-target/answer-errors.ts";
import { epsilonAt, placeOf } from "../../plan/error-target/four-digits.ts";
import type { Plan } from "../../plan/plan.ts";
import { planQuestion } from "../../plan/question/plan-question.ts";
import type { Policy } from "../../policy/policy.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import type { Alternative } from "../alternative.ts";
import type { Variant } from "./variant.ts";
import { variantsOf } from "./variants-of.ts";

/** The question that is compared, with all its options and its ε, and its plan. */
export interface Compared {
  readonly question: ResolvedQuery;
  readonly plan: Plan;
  readonly policy: Policy;
  readonly epsilon: Rational;
  readonly confidence: number;
  /** The rows of a group at which errors that depend on them are compared. */
  readonly rows: number;
}

/** The largest part of the error that a change may leave to be worth it. */
const worthSaying = 0.99;

/**
 * Returns the changes that would make a question cheaper, the one that saves most first. Each is planned at an ε, least to about a
 * hundredth, at which no interval is wider than before and no group is harder to find. Free: plans alone.
 */
export function alternativesOf(compared: Compared): readonly Alternative[] {
  const { question, plan, policy } = compared;
  // Changes are compared by the errors of one question's answers.
  if (question.others) return [];
  return variantsOf(question, plan, policy)
    .flatMap((variant) => alternativeOf(variant, compared) ?? [])
    .sort((a, b) => b.saved - a.saved);
}

function alternativeOf(variant: Variant, compared: Compared): Alternative | null {
  const { plan, epsilon } = compared;
  const errorAt = widening(variant.question, compared);
  try {
    const error = errorAt(epsilon);
    const enough = error <= worthSaying ? enoughEpsilon(errorAt, epsilon, error) : null;
    if (enough === null) return null;
    const { price } = planAt(variant.question, enough, compared);
    const saved = 1 - mainOf(price) / mainOf(plan.price);
    if (!(saved > 0)) return null;
    const { change, how, takes } = variant;
    return { change, how, takes, epsilon: toText(enough), price, saved, error };
  } catch (refused) {
    if (refused instanceof LetheError && refused.code !== "internal.invariant") return null;
    throw refused;
  }
}

/** Returns the half-widths of the answers. */
function errorsOf(plan: Plan, { confidence, rows }: Compared): readonly (number | null)[] {
  return answerErrors(plan, confidence, rows).map(({ halfWidth }) => halfWidth);
}

/** Plans of private groups are slow to price: a few steps along error ∝ 1/ε find an ε that is least to about a hundredth. */
const steps = 5;
const closeEnough = 0.99;

/** Returns an ε of four digits whose error is at most 1, starting from an ε whose error is known; null where no step finds one. */
function enoughEpsilon(
  errorAt: (epsilon: Rational) => number,
  known: Rational,
  error: number,
): Rational | null {
  let place = placeOf(toDouble(known, "down") * error);
  let met: number | null = null;
  for (let step = 0; step < steps; step += 1) {
    const here = errorAt(epsilonAt(place));
    if (here <= 1) met = place;
    else if (met !== null) break;
    if (here <= 1 && here > closeEnough) break;
    const next = placeOf(toDouble(epsilonAt(place), "down") * here) + (here > 1 ? 1 : 0);
    if (next === place) break;
    place = next;
  }
  return met === null ? null : epsilonAt(met);
}

function planAt(question: ResolvedQuery, epsilon: Rational, { plan, policy }: Compared): Plan {
  return planQuestion(
    { ...question, options: { ...question.options, epsilon } },
    policy,
    {},
    plan.policyHash,
  );
}

/**
 * Maps ε to the largest ratio of an error to what it was. The number of units that makes a group as likely released as not counts
 * as an error. Errors that nobody can tell in advance are not compared; where there are no others, nothing is known to be
 * cheaper.
 */
function widening(question: ResolvedQuery, compared: Compared): (epsilon: Rational) => number {
  const before = errorsOf(compared.plan, compared);
  const chanceBefore = evenChance(compared.plan);
  return (epsilon) => {
    const plan = planAt(question, epsilon, compared);
    const after = errorsOf(plan, compared);
    const ratios = before.flatMap((was, at) => {
      const is = after[at] ?? null;
      return was === null || is === null || !Number.isFinite(was) ? [] : [ratioOf(is, was)];
    });
    if (ratios.length === 0) return Number.POSITIVE_INFINITY;
    return Math.max(...ratios, ratioOf(evenChance(plan), chanceBefore));
  };
}

const ratioOf = (is: number, was: number): number => (is === 0 ? 0 : is / was);

/** Returns the fewest units of a group that is kept with a chance of one half; 0 where every group is answered. */
function evenChance({ keys }: Plan): number {
  const { program } = keys;
  if (program.kind !== "private") return 0;
  const isKept = (units: number): boolean => keepProbability(program.rule, BigInt(units)) >= 0.5;
  let [least, most] = [0, 1];
  while (!isKept(most)) [least, most] = [most, 2 * most];
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (isKept(middle)) most = middle;
    else least = middle;
  }
  return most;
}

function mainOf(text: PrivacyLossText): number {
  const loss = lossFromJson(text);
  const main = loss.measure === "zcdp" ? loss.rho : loss.epsilon;
  return compare(main, zero) > 0 ? toDouble(main, "up") : Number.NaN;
}
