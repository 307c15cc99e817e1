import { canonicalJson, toText } from "@lethe/core";
import { sha256 } from "@lethe/query";
import type { Question } from "./question.ts";

/** Binds a request id to what was asked: principal, text, options, and the policy it was asked under. Hex sha256. */
export function requestHash({ principal, text, options }: Question, policyHash: string): string {
  const { epsilon, delta, groupSelection, mechanism, confidence } = options;
  const { targetError, targetErrorRelative, targetRows, parameters = [] } = options;
  return sha256(
    canonicalJson({
      principal,
      text,
      policyHash,
      epsilon: epsilon ? toText(epsilon) : null,
      delta: delta ? toText(delta) : null,
      groupSelection: groupSelection ?? null,
      mechanism: mechanism ?? null,
      confidence,
      // What was not said leaves no trace, so that requests from before it could be said stay theirs.
      ...(targetError ? { targetError: toText(targetError) } : {}),
      ...(targetErrorRelative ? { targetErrorRelative: toText(targetErrorRelative) } : {}),
      ...(targetRows ? { targetRows } : {}),
      ...(parameters.length > 0 ? { parameters } : {}),
    }),
  );
}
