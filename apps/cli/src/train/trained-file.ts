import { LetheError } from "@lethe/core";
import { parseJson, readAnyRelease } from "@lethe/verify";
import type { Trained } from "./train.ts";

/** The members of a file of trained models: these, and no other. */
const members = ["version", "descriptions", "models", "confidence", "release"];

/**
 * Reads what lethe train --out wrote, as strictly as a release is read: no member is written twice, and none stands beside those due. Whether the
 * models are those that follow from the release is what lethe verify checks. Errors: release.invalid.
 */
export function readTrained(text: string): Trained {
  const trained = parseJson(text);
  if (!isTrained(trained))
    throw invalid("it does not hold models, their descriptions and their release, and nothing beside them");
  readAnyRelease(JSON.stringify(trained.release));
  if (trained.confidence !== trained.release.certificate.confidence)
    throw invalid("its confidence is not that of its release");
  return trained;
}

/** Whether a text claims to be of trained models, and not of a release alone. */
export function holdsModels(text: string): boolean {
  try {
    const value = parseJson(text);
    return typeof value === "object" && value !== null && "descriptions" in value;
  } catch {
    return false;
  }
}

function isTrained(value: unknown): value is Trained {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).sort().join() === members.toSorted().join() &&
    "version" in value &&
    value.version === 1 &&
    "descriptions" in value &&
    Array.isArray(value.descriptions) &&
    value.descriptions.every((each) => typeof each === "object" && each !== null) &&
    "models" in value &&
    Array.isArray(value.models) &&
    "release" in value &&
    typeof value.release === "object" &&
    value.release !== null &&
    "answers" in value.release
  );
}

function invalid(why: string): LetheError {
  return new LetheError("release.invalid", `this is no file of trained models: ${why}`, {
    fix: "give the file that lethe train --out wrote, unchanged",
  });
}
