/**
 * Checks a release from its certificate, the policy and the public key alone: {@link verifyRelease}; a file of trained models too:
 * {@link verifyModels}.
 * @module @lethe/verify
 */
export type { Check, Outcome } from "./checks/check.ts";
export { parseJson } from "./format/parse-json.ts";
export { releaseIn } from "./format/release-in.ts";
export { readAnyRelease, readRelease } from "./format/release-shape.ts";
export type { Description } from "./models/description.ts";
export { holdsModels, readTrainedFile, type TrainedFile } from "./models/trained-file.ts";
export { verifyMade } from "./verify-made.ts";
export { verifyModels } from "./verify-models.ts";
export { type Verification, type VerifyOptions, verifyRelease } from "./verify-release.ts";
export { verifyText } from "./verify-text.ts";
