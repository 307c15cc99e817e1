import { LetheError } from "@lethe/core";
import { readAnyRelease } from "@lethe/verify";
import type { Trained } from "./train.ts";

/**
 * Reads what lethe train --out wrote. The release in it is read strictly; whether the models are those that follow from it is what lethe verify
 * checks. Errors: release.invalid.
 */
export function readTrained(text: string): Trained {
  const trained = parsed(text);
  if (!isTrained(trained)) throw invalid("it holds no trained models");
  readAnyRelease(JSON.stringify(trained.release));
  return trained;
}

/** Whether a text is of trained models, and not of a release alone. */
export function holdsModels(text: string): boolean {
  try {
    return isTrained(JSON.parse(text));
  } catch {
    return false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("it is not JSON");
  }
}

function isTrained(value: unknown): value is Trained {
  return (
    typeof value === "object" &&
    value !== null &&
    "descriptions" in value &&
    Array.isArray(value.descriptions) &&
    "models" in value &&
    Array.isArray(value.models) &&
    "release" in value &&
    typeof value.release === "object"
  );
}

function invalid(why: string): LetheError {
  return new LetheError("release.invalid", `this is no file of trained models: ${why}`, {
    fix: "give the file that lethe train --out wrote, unchanged",
  });
}
