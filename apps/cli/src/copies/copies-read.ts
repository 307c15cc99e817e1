import { policyOf, workspaceOf } from "../workspace.ts";
import { copiesWords } from "./copies-words.ts";

/** Says of which moment the copies are that questions of this policy read; null where they read no copies of a database. Errors: those of the policy; engine.source. */
export async function copiesRead(policyPath: string): Promise<string | null> {
  const workspace = workspaceOf(policyPath);
  return copiesWords(workspace, policyOf(workspace));
}
