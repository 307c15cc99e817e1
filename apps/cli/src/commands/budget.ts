import { LetheError, parseRational } from "@lethe/core";
import { type Grant, grant, openLedger } from "@lethe/ledger";
import { unitHash } from "@lethe/query";
import { headFileOf } from "../head-file.ts";
import { renderBudget } from "../render/budget.ts";
import { renderJson } from "../render/json.ts";
import { say } from "../render/say.ts";
import { policyOf, workspaceOf } from "../workspace.ts";

interface BudgetFlags {
  readonly policy: string;
  readonly format: "table" | "json";
  readonly headFile?: string;
}

/** lethe budget */
export async function budget({ policy, format, headFile: asked }: BudgetFlags): Promise<void> {
  const workspace = workspaceOf(policy);
  const headFile = headFileOf(workspace, policyOf(workspace), asked);
  const ledger = await openLedger(workspace.ledger, { clock: Date.now, headFile });
  try {
    const report = await ledger.report();
    say(format === "json" ? renderJson(report) : renderBudget(report));
  } finally {
    await ledger.close();
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

/** lethe budget grant: a raised cap is a record of the ledger like any other. */
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
