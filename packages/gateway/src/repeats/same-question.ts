import { canonicalJson, sha256 } from "@lethe/core/canonical";
import { mergeOptions, type Plan, questionIdentity } from "@lethe/query";
import type { ResolvedQuestion } from "../resolved-question.ts";

/** Hashes that were made before, by plan: neither a question nor a plan ever changes. */
const known = new WeakMap<object, { readonly question: ResolvedQuestion; readonly hash: string }>();

/**
 * Returns the hash that two questions share only where one answer serves both: they ask the same, under the same policy, at the same price by the same noise, with intervals of
 * the same confidence. `plan` is that of the question, or of its pilot.
 */
export function sameQuestion(question: ResolvedQuestion, plan: Pick<Plan, "price" | "event">): string {
  const before = known.get(plan);
  if (before?.question === question) return before.hash;
  const hash = hashOf(question, plan);
  known.set(plan, { question, hash });
  return hash;
}

function hashOf(
  { query, stated, policyHash, confidence, project }: ResolvedQuestion,
  { price, event }: Pick<Plan, "price" | "event">,
): string {
  // The price says what epsilon and delta came to; accepting an uninformative answer changes none.
  const { epsilon: _, delta: __, acceptUninformative: ___, ...options } = mergeOptions(query.options, stated);
  const identity = questionIdentity(query);
  // A share of released numbers finds them by the names of their columns.
  const leans = options.pilotEpsilon !== null || options.targetRelease !== null;
  const named = leans ? { names: query.outputs.map(({ name }) => name) } : {};
  // A project pays for what it learns: another one's answer is none of its own.
  const paidBy = project === undefined ? {} : { project };
  return sha256(
    canonicalJson({ identity, options, policyHash, price, event, confidence, ...named, ...paidBy }),
  );
}
