import { LetheError, lossFromJson, lossToJson, price } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import type { Policy } from "../../policy/policy.ts";
import { missing } from "../../refusals/by-name.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { verify } from "../checks/verify.ts";
import { learnedArguments } from "../learned-bounds/learned-arguments.ts";
import type { PlanOptions } from "../merge-options.ts";
import { allocateTogether } from "../passes/allocate-loss.ts";
import type { Measures } from "../passes/measure-jointly.ts";
import { type ChosenQuestion, chooseMechanisms, commonFamilies } from "../passes/noise/choose-mechanisms.ts";
import { composedEvent, priceTarget } from "../passes/plan-event.ts";
import type { Plan } from "../plan.ts";
import { deriveQuestion } from "./derive-question.ts";
import { planOf } from "./plan-of.ts";

interface Setting {
  readonly options: PlanOptions;
  readonly policyHash: string;
  readonly measures: Measures;
}

/**
 * Plans all questions of one text under the price that the text states, as the questions of a workload are: the noises of all are fitted to it together, so that a
 * measurement costs the same wherever it stands, and the price is that of the composition. Errors: those of planQuestion; query.unsupported for bounds that are learned.
 */
export function planTogether(
  question: ResolvedQuery,
  policy: Policy,
  { options, policyHash, measures }: Setting,
): Plan {
  const { others = [], ...own } = question;
  const questions = [own, ...others.map(({ query }) => query)];
  const areGrouped = questions.some(({ groupBy }) => groupBy.length > 0);
  const chosen = questions.map((each) =>
    // Which groups are answered is said to the questions that have groups.
    areGrouped && each.groupBy.length === 0
      ? choose(withoutGroups(each), policy, { ...options, groupSelection: null })
      : choose(each, policy, options),
  );
  const { budget } = elementAt(chosen, 0);
  const { parts, event, price: whole } = allocateTogether(chosen, budget, commonFamilies(chosen), measures);
  if (!lossFits(whole, budget))
    throw new LetheError("internal.invariant", "the questions of a text cost more than was asked", {
      fix: "report this with the question asked",
    });
  const [plan, ...rest] = parts.map((part) => planOf(verify.allocated(part), policyHash));
  const named = rest.map((of, at) => ({ name: elementAt(others, at).name, plan: of }));
  const { released } = question;
  return {
    ...(plan as Plan),
    others: named,
    ...(released ? { released } : {}),
    event,
    price: lossToJson(whole),
  };
}

/** Returns the plans of all questions of a text, the plan's own before the others. */
export function questionsOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.others ?? []).map((other) => other.plan)];
}

/** Returns the plan of a text's first question as that of a text which asks it alone: with its own record, and what that would cost with the same noise. */
export function planAlone(plan: Plan): Plan {
  const { others, over: _, released: __, ...own } = plan;
  if (!others) return own;
  const [event] = plan.event.kind === "compose" ? plan.event.events : [];
  if (!event) return missing("own event");
  return { ...own, event, price: lossToJson(price(event, priceTarget(lossFromJson(plan.price)))) };
}

/** Whether the record of a plan holds that of every other question of its text, beside its own. */
export function composesOthers({ event, others }: Pick<Plan, "event" | "others">): boolean {
  if (!others) return true;
  const [own] = event.kind === "compose" ? event.events : [];
  if (!own) return false;
  const due = composedEvent([{ event: own }, ...others.map(({ plan }) => plan)]);
  return canonicalJson(event) === canonicalJson(due);
}

function withoutGroups(question: ResolvedQuery): ResolvedQuery {
  return { ...question, options: { ...question.options, groupSelection: null } };
}

function choose(question: ResolvedQuery, policy: Policy, options: PlanOptions): ChosenQuestion {
  if (learnedArguments(question).length > 0)
    refuse(
      "query.unsupported",
      "bounds are learned for one question, and the text asks several under one price",
      "state the bounds, or ask the question by itself",
    );
  return verify.chosen(chooseMechanisms(deriveQuestion(question, policy, options, [])));
}
