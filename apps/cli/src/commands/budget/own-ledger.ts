import { type AccountLedger, openLedger } from "@lethe/ledger";
import type { Policy } from "@lethe/query";
import { headFileOf } from "../../head-file.ts";
import { policyOf, workspaceOf } from "../../workspace.ts";

/** A policy, and its ledger, whatever budget the policy states by now. */
export interface OwnLedger {
  readonly ledger: AccountLedger;
  readonly policy: Policy;
}

/** Opens the ledger of a policy, does something with it, and closes it. Errors: policy.*, ledger.*. */
export async function withLedger<T>(
  { policy: path, headFile: asked }: { readonly policy: string; readonly headFile?: string | undefined },
  work: (own: OwnLedger) => Promise<T>,
): Promise<T> {
  const workspace = workspaceOf(path);
  const policy = policyOf(workspace);
  const headFile = headFileOf(workspace, policy, asked);
  const ledger = await openLedger(workspace.ledger, { clock: Date.now, headFile });
  try {
    return await work({ ledger, policy });
  } finally {
    await ledger.close();
  }
}
