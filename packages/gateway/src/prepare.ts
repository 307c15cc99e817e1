import { invalidParameter } from "@lethe/core";
import {
  bindQuestion,
  type Explanation,
  explainPlan,
  type Plan,
  type Policy,
  parseQuestion,
  planQuestion,
  policyHash,
} from "@lethe/query";
import type { AskedOptions } from "./question.ts";

/** Text to priced plan: pure, touches no row, costs nothing. What `explain` shows and what `answer` pays for. */
export async function prepare(text: string, options: AskedOptions, policy: Policy): Promise<Plan> {
  const { confidence, ...stated } = options;
  if (!(confidence > 0 && confidence < 1))
    throw invalidParameter("confidence", confidence, "between 0 and 1");
  const bound = bindQuestion(await parseQuestion(text), policy);
  return planQuestion(bound, policy, stated, policyHash(policy));
}

/** The plan in words and numbers: its price, its noise, how far off its answers would be. */
export async function explain(text: string, options: AskedOptions, policy: Policy): Promise<Explanation> {
  return explainPlan(await prepare(text, options, policy), policy, options.confidence);
}
