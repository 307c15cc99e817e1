import { canonicalJson } from "@lethe/core/canonical";
import { type Check, holdsModels, type Verification, type VerifyOptions, verifyText } from "@lethe/verify";
import type { Trained } from "./train/train.ts";
import { readTrained } from "./train/trained-file.ts";

/**
 * Checks what a command wrote: a release, the release of a procedure, or trained models with theirs, which are fitted again and compared.
 * Errors: release.invalid where the text is none of these; policy.unreadable, policy.invalid.
 */
export async function verifyFile(text: string, options: VerifyOptions): Promise<Verification> {
  if (!holdsModels(text)) return verifyText(text, options);
  const trained = readTrained(text);
  const { checks, cannotShow } = await verifyText(text, options);
  return { checks: [...checks, await modelsFollow(trained)], cannotShow };
}

/** Checks that the models are those that their descriptions and the released sums give. What is in the file is a stranger's. */
async function modelsFollow({ descriptions, models, release }: Trained): Promise<Check> {
  const { trainingOf } = await import("@lethe/learn");
  const { fitTo } = await import("./train/train.ts");
  const again = (): unknown => fitTo(trainingOf(descriptions), release).models;
  return sameText(again, models)
    ? { name: "models", outcome: "passed", says: "the models are those that follow from the released sums" }
    : { name: "models", outcome: "failed", says: "the models do not follow from the released sums" };
}

function sameText(derive: () => unknown, stated: unknown): boolean {
  try {
    return canonicalJson(JSON.parse(JSON.stringify(derive()))) === canonicalJson(stated);
  } catch {
    return false;
  }
}
