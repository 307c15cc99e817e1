import { canonicalJson } from "@lethe/core/canonical";
import {
  type Check,
  holdsMade,
  parseJson,
  type Verification,
  type VerifyOptions,
  verifyMade,
  verifyModels,
  verifyRelease,
} from "@lethe/verify";
import type { Trained } from "./train/train.ts";
import { holdsModels, readTrained } from "./train/trained-file.ts";

/**
 * Checks what a command wrote: a release, the release of a procedure, or trained models with theirs, which are fitted again and compared.
 * Errors: release.invalid where the text is none of these; policy.unreadable, policy.invalid.
 */
export async function verifyFile(text: string, options: VerifyOptions): Promise<Verification> {
  const given = withoutAnswer(text);
  if (holdsMade(given)) return verifyMade(given, options);
  if (!holdsModels(text)) return verifyRelease(releaseIn(text), options);
  const trained = readTrained(text);
  const { checks, cannotShow } = await verifyModels(text, options);
  return { checks: [...checks, await modelsFollow(trained)], cannotShow };
}

/** Returns the release in a file: that of the model of a procedure, what --format json printed or a service answered without the answer beside it, or the file itself. Errors: release.invalid where it is no JSON. */
export function releaseIn(text: string): string {
  const held = parseJson(text);
  if (typeof held !== "object" || held === null) return text;
  if ("answer" in held && "certificate" in held) return withoutAnswer(text);
  const isModel = Object.keys(held).sort().join() === "kind,release,version" && "release" in held;
  return isModel ? JSON.stringify(held.release) : text;
}

/** Returns what --format json printed, or a service answered, without the answer for programs beside it. */
function withoutAnswer(text: string): string {
  let held: unknown;
  try {
    held = parseJson(text);
  } catch {
    return text;
  }
  if (typeof held !== "object" || held === null || !("answer" in held)) return text;
  const { answer: _, ...rest } = held;
  if ("releases" in rest) return JSON.stringify(rest);
  // A made answer has a kind of its own; that of a release is the service's word.
  const { kind: __, ...release } = rest as { readonly kind?: unknown };
  return "certificate" in release ? JSON.stringify(release) : text;
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
