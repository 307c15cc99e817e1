import { releaseIn, withoutAnswer } from "./format/release-in.ts";
import { holdsMade } from "./made/made-shape.ts";
import { holdsModels } from "./models/trained-file.ts";
import { verifyMade } from "./verify-made.ts";
import { verifyModels } from "./verify-models.ts";
import { type Verification, type VerifyOptions, verifyRelease } from "./verify-release.ts";

/**
 * Checks whatever may be handed to somebody: a release, a service's answer, the release of a procedure, an answer that is made of releases, or a file of trained models, of which {@link verifyModels} says what is left open.
 * Errors: release.invalid where the text is none of these; policy.unreadable, policy.invalid.
 */
export async function verifyText(text: string, options: VerifyOptions = {}): Promise<Verification> {
  const given = withoutAnswer(text);
  if (holdsMade(given)) return verifyMade(given, options);
  return holdsModels(text) ? verifyModels(text, options) : verifyRelease(releaseIn(text), options);
}
