import { invalidParameter } from "@lethe/core";
import {
  type Policy,
  parseQuestion,
  planWorkload,
  policyHash,
  resolveQuestion,
  type WorkloadPlan,
} from "@lethe/query";
import type { WorkloadOptions } from "./workload.ts";

/** Texts to one priced plan: pure, touches no row, costs nothing. Errors: those of resolving and of planWorkload. */
export async function planTexts(
  texts: readonly string[],
  { confidence, project: _, ...stated }: WorkloadOptions,
  policy: Policy,
): Promise<WorkloadPlan> {
  if (!(confidence > 0 && confidence < 1))
    throw invalidParameter("confidence", confidence, "between 0 and 1");
  const questions = [];
  for (const text of texts) questions.push(resolveQuestion(await parseQuestion(text), policy));
  return planWorkload(questions, policy, stated, policyHash(policy));
}
