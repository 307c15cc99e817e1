import { LetheError, parseRational } from "@lethe/core";
import { type AccountLedger, type Grant, grant, openLedger } from "@lethe/ledger";
import { type Policy, unitHash } from "@lethe/query";
import { renderJson } from "@lethe/serve/formats";
import { accountPolicy } from "../account-policy.ts";
import { headFileOf } from "../head-file.ts";
import { renderBudget } from "../render/budget.ts";
import { say } from "../render/say.ts";
import { policyOf, workspaceOf } from "../workspace.ts";

interface BudgetFlags {
  readonly policy: string;
  readonly format: "table" | "json";
  readonly headFile?: string;
}

/** Runs lethe budget: shows the account, its charges and its changes. */
export async function budget({ policy: path, format, headFile: asked }: BudgetFlags): Promise<void> {
  const workspace = workspaceOf(path);
  const policy = policyOf(workspace);
  const headFile = headFileOf(workspace, policy, asked);
  const ledger = await openLedger(workspace.ledger, { clock: Date.now, headFile });
  try {
    const report = await ledger.report();
    say(format === "json" ? renderJson(report) : renderBudget(report));
    if (format === "table") await sayIfEdited(ledger, policy);
  } finally {
    await ledger.close();
  }
}

/** Says where no question is charged under this policy. The account itself can be read under any. */
async function sayIfEdited(ledger: AccountLedger, policy: Policy): Promise<void> {
  try {
    await ledger.requirePolicy(accountPolicy(policy));
  } catch (error) {
    if (!(error instanceof LetheError && error.code === "policy.changed")) throw error;
    say(`\nNo question is charged: ${error.message}.\n  ${error.fix}`);
  }
}

interface GrantFlags {
  readonly policy: string;
  readonly epsilon?: string;
  readonly rho?: string;
  readonly delta?: string;
  readonly failures?: string;
  readonly analyst?: string;
  readonly acceptPolicy?: boolean;
  readonly headFile?: string;
  readonly reason: string;
}

/** Runs lethe budget grant: raises a cap, which is a record of the ledger like any other. */
export async function grantBudget(flags: GrantFlags): Promise<void> {
  const { epsilon, rho, delta, failures, analyst, acceptPolicy, reason } = flags;
  const workspace = workspaceOf(flags.policy);
  const policy = policyOf(workspace);
  const added: Grant = {
    ...(epsilon === undefined ? {} : { epsilon: parseRational(epsilon, "epsilon") }),
    ...(rho === undefined ? {} : { rho: parseRational(rho, "rho") }),
    ...(delta === undefined ? {} : { delta: parseRational(delta, "delta") }),
    ...(failures === undefined ? {} : { failures: wholeNumber(failures) }),
    ...(analyst === undefined ? {} : { analyst }),
    ...(acceptPolicy ? { policyHash: unitHash(policy) } : {}),
    reason,
  };
  const headFile = headFileOf(workspace, policy, flags.headFile);
  const report = await grant(workspace.ledger, added, { clock: Date.now, headFile });
  say(`Recorded. The account as it stands now:\n\n${renderBudget(report)}`);
}

function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new LetheError("cli.usage", `--failures must be a whole number, got ${text}`, {
    fix: "write --failures 10",
  });
}
