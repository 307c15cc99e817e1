import { cardOfFile } from "../../card/card-of.ts";
import { say } from "../../render/say.ts";
import { readText } from "../../workspace.ts";
import { refuseTarget, writeNewFile } from "../new-file.ts";

interface CardFlags {
  readonly policy: string;
  readonly out?: string;
}

/** Runs lethe card: checks a file of models, and prints its card or writes it into a new file. Nothing is charged. */
export async function card(path: string, { policy, out }: CardFlags): Promise<void> {
  const text = readText(path, "the models");
  const policyText = readText(policy, "the policy");
  if (out !== undefined) refuseTarget(out, "the card");
  const written = await cardOfFile(text, policyText);
  if (out === undefined) say(written.trimEnd());
  else writeNewFile(out, written, "the card");
}
