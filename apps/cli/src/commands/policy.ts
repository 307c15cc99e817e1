import { checkViews, lintPolicy, policyHash, policyJsonSchema } from "@lethe/query";
import { requireOwnAccount } from "../account-policy.ts";
import { headFileOf } from "../head-file.ts";
import { ownersLog } from "../owners-log.ts";
import { say } from "../render/say.ts";
import { policyOf, workspaceOf } from "../workspace.ts";

/** lethe policy check: errors stop, and so does a budget that the ledger does not hold; advice is printed. */
export async function check(flags: { readonly policy: string }): Promise<void> {
  const workspace = workspaceOf(flags.policy);
  const policy = policyOf(workspace);
  headFileOf(workspace, policy);
  await checkViews(policy);
  await requireOwnAccount(workspace, policy);
  if (policy.database === null) {
    const { checkRoles } = await import("@lethe/engine-duckdb");
    await checkRoles(policy, workspace.base, ownersLog(workspace));
  }
  say(`The policy is sound. Hash ${policyHash(policy)}`);
  for (const { path, message, fix } of lintPolicy(policy)) say(`advice: ${path}: ${message}\n  ${fix}`);
}

/** lethe policy schema: JSON Schema, for an editor's completion. */
export async function schema(): Promise<void> {
  console.log(JSON.stringify(policyJsonSchema(), null, 2));
}
