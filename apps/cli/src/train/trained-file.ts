import { parseJson, readTrainedFile } from "@lethe/verify";
import type { Trained } from "./train.ts";

/**
 * Reads what lethe train --out wrote, as strictly as a release is read: no member is written twice, and none stands beside those due. Whether the
 * models are those that follow from the release, and the descriptions those of its questions, is what lethe verify checks. Errors: release.invalid.
 */
export function readTrained(text: string): Trained {
  // Of the models alone the form is left to whoever fits them again.
  readTrainedFile(text);
  return parseJson(text) as Trained;
}
