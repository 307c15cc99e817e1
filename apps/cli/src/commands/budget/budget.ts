import { LetheError, parseRational } from "@lethe/core";
import { type AccountLedger, type Grant, owner } from "@lethe/ledger";
import { type Policy, unitHash } from "@lethe/query";
import { renderJson } from "@lethe/serve/formats";
import { accountPolicy } from "../../account-policy.ts";
import { renderBudget, renderCharges } from "../../render/budget.ts";
import { say } from "../../render/say.ts";
import { renderScopes } from "../../render/scopes.ts";
import { withLedger } from "./own-ledger.ts";
import { seenBy } from "./seen-by.ts";

interface BudgetFlags {
  readonly policy: string;
  readonly format: "table" | "json";
  readonly as: string;
  readonly headFile?: string;
}

/** Runs lethe budget: shows the account, its scopes, charges and changes, or as much of them as an analyst may see. */
export async function budget(flags: BudgetFlags): Promise<void> {
  const { format, as: viewer } = flags;
  await withLedger(flags, async ({ ledger, policy }) => {
    if (viewer === owner) {
      const report = await ledger.report();
      say(format === "json" ? renderJson(report) : renderBudget(report));
    } else {
      const seen = await seenBy(ledger, viewer);
      say(
        format === "json"
          ? renderJson(seen)
          : `${renderScopes(seen.scopes)}\n\n${renderCharges(seen.charges)}`,
      );
    }
    if (format === "table") await sayIfEdited(ledger, policy);
  });
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
  await withLedger(flags, async ({ ledger, policy }) => {
    const added: Grant = {
      ...(epsilon === undefined ? {} : { epsilon: parseRational(epsilon, "epsilon") }),
      ...(rho === undefined ? {} : { rho: parseRational(rho, "rho") }),
      ...(delta === undefined ? {} : { delta: parseRational(delta, "delta") }),
      ...(failures === undefined ? {} : { failures: wholeNumber(failures) }),
      ...(analyst === undefined ? {} : { analyst }),
      ...(acceptPolicy ? { policyHash: unitHash(policy) } : {}),
      reason,
    };
    await ledger.grant(added);
    say(`Recorded. The account as it stands now:\n\n${renderBudget(await ledger.report())}`);
  });
}

function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new LetheError("cli.usage", `--failures must be a whole number, got ${text}`, {
    fix: "write --failures 10",
  });
}
