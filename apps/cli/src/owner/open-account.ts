import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { LetheError } from "@lethe/core";
import { createLedger } from "@lethe/ledger";
import { type Policy, unitHash } from "@lethe/query";
import { headFileOf } from "../head-file.ts";
import { createSeed } from "../seed.ts";
import { fileError, type Workspace } from "../workspace.ts";

/** The thing that was made for a policy: its ledger, or a new secret seed beside the ledger that it has. */
export type MadeAccount = "ledger" | "seed";

/** Begins the ledger of a policy, and makes the secret seed beside it. Errors: ledger.exists where there are both, ledger.*, cli.file. */
export async function openAccount(workspace: Workspace, policy: Policy): Promise<MadeAccount> {
  const headFile = headFileOf(workspace, policy);
  mkdirState(workspace);
  // The seed first: a ledger that is cut off from it could not be used, and not be made again.
  const lostSeed = !existsSync(workspace.seed);
  if (lostSeed) createSeed(workspace.seed);
  const ledger = await createLedger(workspace.ledger, {
    budget: policy.budget,
    policyHash: unitHash(policy),
    source: sourceName(workspace),
    clock: Date.now,
    headFile,
  }).catch((error: unknown) => {
    const code = error instanceof LetheError ? error.code : null;
    if (lostSeed && code === "ledger.exists") return null;
    if (lostSeed && code === "ledger.restored") unmakeState(workspace);
    throw error;
  });
  await ledger?.close();
  return ledger ? "ledger" : "seed";
}

/** Removes the seed and an empty state folder where no ledger is begun: a backup's own seed belongs there, and our folder would be in its way. */
function unmakeState({ state, seed, ledger }: Workspace): void {
  if (existsSync(ledger)) return;
  rmSync(seed, { force: true });
  if (readdirSync(state).length === 0) rmdirSync(state);
}

function mkdirState({ state }: Workspace): void {
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fileError("write", state, "the folder", error);
  }
}

/** Returns the folder's name, where it can be a name in the ledger; else "data". */
function sourceName({ policyPath }: Workspace): string {
  const name = basename(dirname(policyPath));
  return name === "" || name.length > 200 || /\p{Cc}|\p{Cs}/u.test(name) ? "data" : name;
}
