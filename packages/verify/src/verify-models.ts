import { readPolicy } from "@lethe/query";
import { type Check, check, notMade } from "./checks/check.ts";
import { columnsAreDescribed, descriptionsAreSound } from "./models/description-checks.ts";
import { sumsAreAsked } from "./models/sums-checks.ts";
import { readTrainedFile } from "./models/trained-file.ts";
import { type Verification, type VerifyOptions, verifyRelease } from "./verify-release.ts";

const needsPolicy = notMade("no policy was given");

/**
 * Checks a file of trained models: its release as {@link verifyRelease} does, and beside it what the file says of each model. With the policy it
 * is derived from a model's description which sums must have been asked for, and these are sought among the questions of the certificate. That the
 * numbers of the models follow from the released sums is not checked here, since it takes the code that fits them: trainingOf(descriptions).fit of
 * `@lethe/learn` gives them again, and `lethe verify` compares.
 * Errors: release.invalid where the text is no such file; policy.unreadable, policy.invalid.
 */
export async function verifyModels(fileJson: string, options: VerifyOptions = {}): Promise<Verification> {
  const { descriptions, models, release, releaseJson } = readTrainedFile(fileJson);
  const { checks, cannotShow } = await verifyRelease(releaseJson, options);
  const policy = options.policyText === undefined ? null : readPolicy(options.policyText);
  const described: readonly Check[] = await Promise.all([
    check("descriptions", () => descriptionsAreSound(descriptions, models)),
    check("described-columns", () => (policy ? columnsAreDescribed(descriptions, policy) : needsPolicy)),
    check("described-sums", () => (policy ? sumsAreAsked(descriptions, release, policy) : needsPolicy)),
  ]);
  return { checks: [...checks, ...described], cannotShow };
}
