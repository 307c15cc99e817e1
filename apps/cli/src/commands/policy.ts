import { lintPolicy, policyHash, policyJsonSchema, readPolicy } from "@lethe/query";
import { readText, workspaceOf } from "../workspace.ts";

/** lethe policy check: errors stop; advice is printed. */
export async function check(flags: { readonly policy: string }): Promise<void> {
  const { policyPath } = workspaceOf(flags.policy);
  const policy = readPolicy(readText(policyPath, "the policy"));
  console.log(`The policy is sound. Hash ${await policyHash(policy)}`);
  for (const warning of lintPolicy(policy)) console.log(`advice: ${warning.message}`);
}

/** lethe policy schema: JSON Schema, for an editor's completion. */
export async function schema(): Promise<void> {
  console.log(JSON.stringify(policyJsonSchema(), null, 2));
}
