import { toText } from "@lethe/core";
import { canonicalJson, sha256 } from "@lethe/core/canonical";
import type { NamedQuestion } from "./question.ts";
import type { Workload } from "./workload/workload.ts";

/**
 * Binds a request id to what was asked: principal, text, options, the policy it was asked under, and whether it is the pilot. An id that the gateway gave
 * is bound to the hash of the question, whichever way it is written. Hex sha256.
 */
export function requestHash(
  { principal, text, options, same }: NamedQuestion,
  policyHash: string,
  request: "pilot" | null = null,
): string {
  if (same !== undefined)
    return sha256(canonicalJson({ principal, same, ...(request ? { stage: request } : {}) }));
  const { epsilon, delta, groupSelection, everyPublicKey, mechanism, confidence } = options;
  const { targetError, targetErrorRelative, targetRelease, targetRows, parameters = [] } = options;
  const { pilotEpsilon, maxEpsilon, today, advantage, project } = options;
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
      ...(everyPublicKey ? { everyPublicKey } : {}),
      ...(targetError ? { targetError: toText(targetError) } : {}),
      ...(targetErrorRelative ? { targetErrorRelative: toText(targetErrorRelative) } : {}),
      ...(targetRelease ? { targetRelease } : {}),
      ...(pilotEpsilon ? { pilotEpsilon: toText(pilotEpsilon) } : {}),
      ...(maxEpsilon ? { maxEpsilon: toText(maxEpsilon) } : {}),
      ...(request ? { stage: request } : {}),
      ...(targetRows ? { targetRows } : {}),
      ...(advantage ? { advantage: toText(advantage) } : {}),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(today === undefined ? {} : { today }),
      ...(project === undefined ? {} : { project }),
    }),
  );
}

/** {@link requestHash} of a workload: its title, the questions of its first round and the number of rounds stand for the text. */
export function workloadHash(
  { principal, title, texts, rounds, options }: Workload,
  policyHash: string,
): string {
  const { epsilon, delta, groupSelection, everyPublicKey, mechanism, confidence, project } = options;
  return sha256(
    canonicalJson({
      principal,
      workload: { title, texts, rounds: rounds?.count ?? 1 },
      policyHash,
      epsilon: epsilon ? toText(epsilon) : null,
      delta: delta ? toText(delta) : null,
      groupSelection: groupSelection ?? null,
      mechanism: mechanism ?? null,
      confidence,
      // A workload used to answer every public key, as trainings do still: their requests stay theirs.
      ...(everyPublicKey ? {} : { publicKeys: "of the WHERE" }),
      ...(project === undefined ? {} : { project }),
    }),
  );
}
