import {
  measureAlone,
  type Plan,
  type Policy,
  parseQuestion,
  planQuestion,
  policyHash,
  resolveQuestion,
} from "@lethe/query";
import type { AskedOptions } from "../question.ts";

/** Plans a question with every total measured by itself, so that a test can choose what each comes out at. */
export async function planAlone(
  text: string,
  { confidence: _, ...stated }: AskedOptions,
  policy: Policy,
): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  return planQuestion(question, policy, stated, policyHash(policy), measureAlone);
}
