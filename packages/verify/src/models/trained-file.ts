import { LetheError } from "@lethe/core";
import { parseJson } from "../format/parse-json.ts";
import { readAnyRelease } from "../format/release-shape.ts";
import { fraction, list, literal, Misshapen, object, type Read } from "../format/shape.ts";
import type { ReadWorkload } from "../format/workload.ts";
import type { Description } from "./description.ts";
import { description } from "./description-shape.ts";

/** A file of models with the release that they were fitted to. What a model holds is not read here: it follows from the rest. */
export interface TrainedFile {
  readonly descriptions: readonly Description[];
  /** In the order of the descriptions. */
  readonly models: readonly unknown[];
  readonly release: ReadWorkload["release"];
  /** The same as JSON, as it stands in the file. */
  readonly releaseJson: string;
}

const anything: Read<unknown> = (value) => value;
const members = object({
  ...{ version: literal(1), descriptions: list(description), models: list(anything) },
  ...{ confidence: fraction, release: anything },
});

/**
 * Reads a file of trained models from untrusted text: no member is written twice, and none stands beside those due. Errors: release.invalid.
 */
export function readTrainedFile(text: string): TrainedFile {
  const json = parseJson(text);
  const { descriptions, models, confidence, release } = read(json);
  const releaseJson = JSON.stringify(release) ?? "";
  const held = readAnyRelease(releaseJson);
  if ("planVersion" in held)
    throw invalid("its release is of one question, and not of its models' questions");
  if (confidence !== held.release.certificate.confidence)
    throw invalid("its confidence is not that of its release");
  return { descriptions, models, release: held.release, releaseJson };
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

function read(json: unknown): ReturnType<typeof members> {
  try {
    return members(json, "");
  } catch (error) {
    if (error instanceof Misshapen)
      throw invalid(error.message.replace(/^\./, "").replace(/^the release/, "it"));
    throw error;
  }
}

function invalid(why: string): LetheError {
  return new LetheError("release.invalid", `this is no file of trained models: ${why}`, {
    fix: "give the file that lethe train --out wrote, unchanged",
  });
}
