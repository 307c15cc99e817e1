import { writeNew } from "../commands/new-file.ts";
import { policyOf, workspaceOf } from "../workspace.ts";
import type { Carded } from "./model-card.ts";

/** Writes the card of what was just paid for into a new file. Errors: cli.file; the answer is durable in the ledger. */
export async function writeCardOf(carded: Carded, path: string, policyPath: string): Promise<void> {
  const { writeCard } = await import("./model-card.ts");
  const { certificate } = "descriptions" in carded ? carded.release : carded;
  const written = writeCard(carded, policyOf(workspaceOf(policyPath)));
  writeNew(path, written, "the card", certificate.requestId);
}
