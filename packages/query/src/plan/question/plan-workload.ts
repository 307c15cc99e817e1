import { type Event, LetheError, lossToJson, type PrivacyLossText, toText } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import { publicValues } from "../../over/public-values.ts";
import type { Policy } from "../../policy/policy.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { verify } from "../checks/verify.ts";
import { learnedArguments } from "../learned-bounds/learned-arguments.ts";
import { hasTarget, mergeOptions, type PlanOptions } from "../merge-options.ts";
import { allocateTogether } from "../passes/allocate-loss.ts";
import { atLeast, requireLeast } from "../passes/least-price.ts";
import { type ChosenQuestion, chooseMechanisms, commonFamilies } from "../passes/noise/choose-mechanisms.ts";
import { composedEvent } from "../passes/plan-event.ts";
import type { Plan } from "../plan.ts";
import { deriveQuestion } from "./derive-question.ts";
import { planOf } from "./plan-of.ts";

/** Several questions that are answered at one price: JSON throughout, and free of data. */
export interface WorkloadPlan {
  readonly version: 1;
  /** The plan of each question. Its own price is what it would cost alone, with the same noise. */
  readonly plans: readonly Plan[];
  /** The record of all that is run: the events of the plans, composed. */
  readonly event: Event;
  /** The price of that event in the account's measure: what is charged, once. */
  readonly price: PrivacyLossText;
}

/** The most questions of one workload: each is a statement of the database. */
const mostQuestions = 500;

/**
 * Plans several questions under one price. The noises of all are fitted to it together, so that a measurement costs the same wherever it stands, and
 * the price is that of the composition. A function of questions, policy and options alone. Errors: those of planQuestion; query.option for no
 * question, more than 500, a price or target inside a question; query.unsupported for bounds that are learned.
 */
export function planWorkload(
  questions: readonly ResolvedQuery[],
  policy: Policy,
  options: PlanOptions,
  policyHash: string,
): WorkloadPlan {
  if (questions.length === 0 || questions.length > mostQuestions)
    refuse(
      "query.option",
      `a workload has 1 to ${mostQuestions} questions, and this one has ${questions.length}`,
      "ask the questions in several workloads, each with a price of its own",
    );
  requireLeast(options.epsilon ?? null, policy);
  const chosen = questions.map((question) => choose(question, policy, options));
  const { budget } = elementAt(chosen, 0);
  const { parts, event, price } = allocateTogether(chosen, budget, commonFamilies(chosen));
  if (!lossFits(price, budget))
    throw new LetheError("internal.invariant", "a workload costs more than was asked", {
      fix: "report this with the questions asked",
    });
  return {
    version: 1,
    plans: parts.map((part) => planOf(verify.allocated(part), policyHash)),
    event,
    price: atLeast(lossToJson(price), policy, { delta: options.delta ?? null }),
  };
}

function choose(question: ResolvedQuery, policy: Policy, options: PlanOptions): ChosenQuestion {
  if (question.over && publicValues(question.over).length > 0)
    refuse(
      "query.unsupported",
      "a text of a workload joins its answer with a public table",
      "join the table inside the question, or ask the text by itself",
    );
  if (question.others)
    refuse(
      "query.unsupported",
      "a text of a workload asks several private questions",
      "ask each of them in a text of its own",
    );
  const { epsilon, delta, mechanism } = question.options;
  const stated = [epsilon && toText(epsilon), delta && toText(delta), mechanism].find(
    (value) => value !== null,
  );
  if (stated !== undefined)
    refuse(
      "query.option",
      "a question of a workload states a price or a mechanism of its own",
      "state epsilon, delta and mechanism beside the workload",
    );
  if (hasTarget(mergeOptions(question.options, options)))
    refuse(
      "query.option",
      "a workload has one price, and a target error or an advantage sets that of one question",
      "state epsilon, or ask the question by itself",
    );
  if (learnedArguments(question).length > 0)
    refuse(
      "query.unsupported",
      "bounds are learned for one question, and a workload has one price for all",
      "state the bounds, or ask the question by itself",
    );
  return verify.chosen(chooseMechanisms(deriveQuestion(question, policy, options, [])));
}

/** Whether the record of a workload is that of its plans. */
export function composesPlans({ plans, event }: Pick<WorkloadPlan, "plans" | "event">): boolean {
  return canonicalJson(event) === canonicalJson(composedEvent(plans));
}
