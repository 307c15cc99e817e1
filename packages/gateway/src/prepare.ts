import { invalidParameter, LetheError } from "@lethe/core";
import {
  type AskedPlan,
  bindQuestion,
  type Explanation,
  explainQuestion,
  type ParsedQuestion,
  type Plan,
  type PlanOptions,
  type Policy,
  parseQuestion,
  planAsked,
  policyHash,
} from "@lethe/query";
import type { AskedOptions } from "./question.ts";

/**
 * Text to priced plan: pure, touches no row, costs nothing. What `answer` pays for.
 * Errors: query.unsupported for EXPLAIN PRIVACY, which asks for no answer.
 */
export async function prepare(text: string, options: AskedOptions, policy: Policy): Promise<Plan> {
  const parsed = await parseQuestion(text, options.parameters);
  if (parsed.explains)
    throw new LetheError(
      "query.unsupported",
      "EXPLAIN PRIVACY asks for the plan: there is nothing to answer",
      {
        fix: "call explain with this text, or leave EXPLAIN PRIVACY out",
        offset: 0,
      },
    );
  return planParsed(parsed, options, policy).plan;
}

/**
 * The plan in words and numbers: its price, its noise, how far off its answers would be. EXPLAIN PRIVACY may stand before
 * the question or not.
 */
export async function explain(text: string, options: AskedOptions, policy: Policy): Promise<Explanation> {
  const { confidence, stated } = checked(options);
  const question = bindQuestion(await parseQuestion(text, options.parameters), policy);
  return explainQuestion(question, policy, stated, policyHash(policy), confidence);
}

/** A parsed question's plan, and the target error that set its price where one was stated. Errors: those of planAsked. */
export function planParsed(parsed: ParsedQuestion, options: AskedOptions, policy: Policy): AskedPlan {
  const { confidence, stated } = checked(options);
  return planAsked(bindQuestion(parsed, policy), policy, stated, policyHash(policy), confidence);
}

/** What the planner is told, and the coverage that intervals are to have. Errors: parameter.invalid. */
function checked(options: AskedOptions): { readonly confidence: number; readonly stated: PlanOptions } {
  const { confidence, parameters: _, ...stated } = options;
  if (!(confidence > 0 && confidence < 1))
    throw invalidParameter("confidence", confidence, "between 0 and 1");
  return { confidence, stated };
}
