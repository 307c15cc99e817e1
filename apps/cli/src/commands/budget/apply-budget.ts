import { LetheError } from "@lethe/core";
import { type Application, type BudgetProposal, openLedger } from "@lethe/ledger";
import { accountPolicy } from "../../account-policy.ts";
import { headFileOf } from "../../head-file.ts";
import { renderBudget, renderChanges } from "../../render/budget.ts";
import { printable } from "../../render/printable.ts";
import { say } from "../../render/say.ts";
import { policyOf, workspaceOf } from "../../workspace.ts";

interface ApplyFlags {
  readonly policy: string;
  readonly rename: readonly string[];
  readonly reason?: string;
  readonly yes?: boolean;
  readonly headFile?: string;
}

/** Runs lethe budget apply: shows what the policy's budget would change of the account, asks, and puts it on record. */
export async function applyBudget(flags: ApplyFlags): Promise<void> {
  const workspace = workspaceOf(flags.policy);
  const policy = policyOf(workspace);
  const headFile = headFileOf(workspace, policy, flags.headFile);
  const application: Application = {
    ...accountPolicy(policy),
    renamed: Object.fromEntries(flags.rename.map(renaming)),
    ...(flags.reason === undefined ? {} : { reason: flags.reason }),
  };
  const ledger = await openLedger(workspace.ledger, { clock: Date.now, headFile });
  try {
    const proposal = await ledger.propose(application);
    if (!proposal.needed) return say("The account has the policy's budget already; nothing was recorded.");
    say(`The policy's budget would change the account:\n\n${renderProposal(proposal)}\n`);
    await agree(flags);
    const { needed } = await ledger.apply(application, proposal.changes);
    const said = needed ? "Recorded." : "Somebody else recorded the same change meanwhile.";
    say(`${said} The account as it stands now:\n\n${renderBudget(await ledger.report())}`);
  } finally {
    await ledger.close();
  }
}

/** Says what would change, what is spent, and who may ask afterwards. */
function renderProposal({ changes, spent }: BudgetProposal): string {
  const names = Object.entries(spent.analysts);
  const shares = names.map(([name, own]) => `${printable(name)} ${own}`).join(", ");
  return [
    renderChanges(changes),
    "",
    names.length === 0
      ? `Spent: ${spent.account}.`
      : `Spent: ${spent.account}, of which by those who are listed: ${shares}.`,
    names.length === 0
      ? "The policy lists no analyst: whoever can open the ledger may ask, under any name."
      : "Only the analysts who are listed and the owner may ask.",
  ].join("\n");
}

/** Reads OLD=NEW. Errors: cli.usage. */
function renaming(word: string): [string, string] {
  const [from = "", to = "", ...rest] = word.split("=");
  if (from !== "" && to !== "" && rest.length === 0) return [from, to];
  throw new LetheError("cli.usage", `--rename ${printable(word)} names no analyst twice`, {
    fix: "write the old name and the new one: --rename ada=adele",
  });
}

/** Asks the person at the terminal to agree, unless --yes did so before. Errors: cli.usage where nobody agrees. */
async function agree({ yes }: ApplyFlags): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new LetheError(
      "cli.usage",
      "the change needs agreement, and there is no terminal to ask for it; nothing was recorded",
      {
        fix: "read what would change, then run lethe budget apply --yes",
      },
    );
  const { confirm } = await import("@clack/prompts");
  if ((await confirm({ message: "Put this on record, for ever?", initialValue: false })) === true) return;
  throw new LetheError("cli.usage", "the change was not agreed to; nothing was recorded", {
    fix: "write the budget as it was, or run lethe budget apply again; until then no question is charged",
  });
}
