import { LetheError } from "@lethe/core";
import type { ProcedureRelease } from "@lethe/gateway";
import { readPolicy } from "@lethe/query";
import { holdsModels, releaseIn } from "@lethe/verify";
import { readTrained } from "../train/trained-file.ts";
import { verifyFile } from "../verify-file.ts";
import type { Carded } from "./model-card.ts";

/**
 * Returns the card of a file that lethe train or lethe synthesize wrote, in Markdown, after the file was checked as lethe verify does: no card is made of
 * models that do not hold. Whose key signed them, only the reader can say. Deterministic. Errors: release.invalid where a check fails, or where
 * the file is of no model; policy.unreadable, policy.invalid.
 */
export async function cardOfFile(text: string, policyText: string): Promise<string> {
  const { checks } = await verifyFile(text, { policyText });
  const failed = checks.find(({ outcome }) => outcome === "failed");
  if (failed)
    throw new LetheError("release.invalid", `no card is made of what does not hold: ${failed.says}`, {
      fix: "give the file as it was written, and the policy that it was made under; lethe verify shows every check",
    });
  // Loaded for cards alone: it holds the code of every kind of model.
  const { writeCard } = await import("./model-card.ts");
  return writeCard(cardedIn(text), readPolicy(policyText));
}

/**
 * Returns the same card of what open(…).train, trainOnRows, fit and synthesize give.
 * @example await modelCard(await lethe.train(text, { epsilon: 1 }), await readFile("lethe.yaml", "utf8")) // => "# Model card: …"
 */
export function modelCard(carded: Carded, policyText: string): Promise<string> {
  return cardOfFile(JSON.stringify(carded), policyText);
}

/** Returns the content of a file whose form verify has read. Errors: release.invalid for the answer to a question. */
function cardedIn(text: string): Carded {
  if (holdsModels(text)) return readTrained(text);
  const release: ProcedureRelease = JSON.parse(releaseIn(text));
  if ("procedure" in release.certificate) return release;
  throw new LetheError("release.invalid", "this is the answer to a question, and no model", {
    fix: "give a file that lethe train --out or lethe synthesize --release wrote",
  });
}
