import { invalidParameter, LetheError } from "@lethe/core";
import {
  type AskedPlan,
  applyLearnedBounds,
  type Explanation,
  explainQuestion,
  type Pilot,
  type Plan,
  type PlanOptions,
  type Policy,
  parseQuestion,
  pilotOf,
  planAsked,
  policyHash,
  publicQuestion,
  type ReleasedNumbers,
  type ResolvedQuery,
  resolveQuestion,
} from "@lethe/query";
import { releasedNumbers } from "./earlier-release.ts";
import { KnownValues } from "./known-values.ts";
import { refusePublic } from "./public-tables/answer-public.ts";
import type { AskedOptions } from "./question.ts";
import type { Release } from "./release.ts";

/** A question whose names are resolved, with all that was said beside it. */
export interface ResolvedQuestion {
  readonly query: ResolvedQuery;
  readonly stated: PlanOptions;
  readonly confidence: number;
  readonly policy: Policy;
  readonly policyHash: string;
  /** The request whose released numbers its target error is a share of. */
  readonly targetRelease: string | null;
  /** The project that it is asked for; absent where it states none. */
  readonly project?: string;
}

/** Questions as they were read: functions of policy, text and options, none of which ever changes. What is asked again, by whomever, is read and planned once. */
const read = new KnownValues<Policy, ResolvedQuestion>(128);
const planned = new WeakMap<ResolvedQuestion, AskedPlan>();

/**
 * Text to resolved question: pure, touches no row, costs nothing.
 * Errors: those of resolving; query.unsupported for EXPLAIN PRIVACY, which asks for no answer.
 */
export function readQuestion(
  text: string,
  { heldRelease: _, ...options }: AskedOptions,
  policy: Policy,
  explains = false,
): Promise<ResolvedQuestion> {
  return read.of(policy, { text, options, explains }, () => readAnew(text, options, policy, explains));
}

async function readAnew(
  text: string,
  options: Omit<AskedOptions, "heldRelease">,
  policy: Policy,
  explains: boolean,
): Promise<ResolvedQuestion> {
  const { confidence, parameters, today = null, project, ...stated } = options;
  const parsed = await parseQuestion(text, parameters, today);
  if (parsed.explains && !explains)
    throw new LetheError(
      "query.unsupported",
      "EXPLAIN PRIVACY asks for the plan: there is nothing to answer",
      {
        fix: "call explain with this text, or leave EXPLAIN PRIVACY out",
        offset: 0,
      },
    );
  if (!(confidence > 0 && confidence < 1))
    throw invalidParameter("confidence", confidence, "between 0 and 1");
  const publicAlone = publicQuestion(parsed, policy);
  if (publicAlone) refusePublic(publicAlone);
  const query = resolveQuestion(parsed, policy);
  const targetRelease = query.options.targetRelease ?? stated.targetRelease ?? null;
  const asked = { query, stated, confidence, policy, policyHash: policyHash(policy), targetRelease };
  return project === undefined ? asked : { ...asked, project };
}

/** Its plan, and the target error that set its price where one was stated. Errors: those of planAsked. */
export function planResolved(question: ResolvedQuestion, released: ReleasedNumbers | null = null): AskedPlan {
  const { query, policy, stated, policyHash, confidence } = question;
  const known = released === null ? planned.get(question) : undefined;
  const plan = known ?? planAsked(query, policy, stated, policyHash, confidence, released);
  if (released === null) planned.set(question, plan);
  return plan;
}

/** Its plan with the bounds that noisy counts make: of the same price, whatever they are. */
export function learnedPlan(
  { query, policy, stated }: ResolvedQuestion,
  plan: Plan,
  counts: readonly (readonly number[])[],
): Plan {
  return applyLearnedBounds(plan, query, policy, stated, counts);
}

/** The first of its two requests, where it asks for a pilot. */
export function pilotOfQuestion({
  query,
  policy,
  stated,
  policyHash,
  confidence,
}: ResolvedQuestion): Pilot | null {
  return pilotOf(query, policy, stated, policyHash, confidence);
}

/** Text to priced plan, of a question without a pilot that leans on no release. */
export async function planText(text: string, options: AskedOptions, policy: Policy): Promise<Plan> {
  return planResolved(await readQuestion(text, options, policy)).plan;
}

/**
 * The plan in words and numbers: its price, its noise, how far off its answers would be. EXPLAIN PRIVACY may stand before
 * the question or not. `find` gets the release that a target error is a share of, where one is named.
 */
export async function explain(
  text: string,
  options: AskedOptions,
  policy: Policy,
  find: (requestId: string) => Promise<Release> = noneKept,
): Promise<Explanation> {
  const question = await readQuestion(text, options, policy, true);
  const { query, stated, confidence, targetRelease } = question;
  const released = targetRelease === null ? null : releasedNumbers(await find(targetRelease));
  return explainQuestion(query, policy, stated, question.policyHash, confidence, released);
}

function noneKept(requestId: string): never {
  throw new LetheError(
    "query.option",
    `there is no ledger to look for the release ${JSON.stringify(requestId)}`,
    {
      fix: "state target_error in the units of the answers",
    },
  );
}
