import { LetheError, parseRational, type Rational } from "@lethe/core";
import type { AccountLedger, BudgetReport, LimitChange } from "@lethe/ledger";
import { renderJson } from "@lethe/serve/formats";
import { renderBudget } from "../../render/budget.ts";
import { say } from "../../render/say.ts";
import { withLedger } from "./own-ledger.ts";
import { requireScope, type ScopeFlags, scopeNamed } from "./scope-named.ts";

interface ChangeFlags {
  readonly policy: string;
  readonly headFile?: string;
  readonly format: "table" | "json";
  readonly reason: string;
}

interface LowerFlags extends ChangeFlags, ScopeFlags {
  readonly epsilon?: string;
  readonly rho?: string;
  readonly delta?: string;
}

/** Runs lethe budget lower: a scope may spend less over its lifetime from here on, until the next apply. */
export async function lowerScope(flags: LowerFlags): Promise<void> {
  const scope = scopeNamed(flags);
  await recorded(flags, (ledger, report) => {
    requireScope(scope, report);
    return ledger.limit({ scope, what: "lower", cap: capOf(flags, report), reason: flags.reason });
  });
}

/** Runs lethe budget close and lethe budget reopen. An analyst who is named alone is revoked. */
export async function shutScope(what: "close" | "reopen", flags: ChangeFlags & ScopeFlags): Promise<void> {
  const scope = scopeNamed(flags);
  if (what === "close" && scope[0] === "analyst")
    throw new LetheError("cli.usage", "an analyst is revoked, not closed", {
      fix: `lethe budget revoke ${scope[1]} --reason "${flags.reason}"`,
    });
  await recorded(flags, (ledger, report) => {
    requireScope(scope, report);
    return ledger.limit({ scope, what, reason: flags.reason });
  });
}

/** Runs lethe budget revoke: an analyst is charged nothing more, which the policy alone cannot undo. */
export async function revokeAnalyst(name: string, flags: ChangeFlags): Promise<void> {
  const scope = ["analyst", name] as const;
  await recorded(flags, (ledger, report) => {
    // Anybody may ask where no analyst is listed, so anybody can be revoked.
    if (report.analysts.length > 0) requireScope(scope, report);
    return ledger.limit({ scope, what: "revoke", reason: flags.reason });
  });
}

/** Makes a change of one scope, and says how the account stands then. */
async function recorded(
  { policy, headFile, format }: ChangeFlags,
  change: (ledger: AccountLedger, before: BudgetReport) => Promise<void>,
): Promise<void> {
  await withLedger({ policy, headFile }, async ({ ledger }) => {
    const before = await ledger.report();
    await change(ledger, before);
    const after = await ledger.report();
    if (format === "json") return say(renderJson(after));
    if (after.head.sequence === before.head.sequence) return say("It is so already; nothing was recorded.");
    say(`Recorded. The account as it stands now:\n\n${renderBudget(after)}`);
  });
}

/** Reads the new cap in the number that the account is kept in. Errors: cli.usage. */
function capOf(
  { epsilon, rho, delta }: LowerFlags,
  { measure }: BudgetReport,
): NonNullable<LimitChange["cap"]> {
  const [own, other, name] =
    measure === "zcdp" ? ([rho, epsilon, "rho"] as const) : ([epsilon, rho, "epsilon"] as const);
  if (other !== undefined || (own === undefined && delta === undefined))
    throw new LetheError("cli.usage", `a cap of this account is stated in ${name}`, {
      fix: `write --${name} NUMBER${measure === "pure" ? "" : ", --delta NUMBER, or both"}`,
    });
  const read = (text: string | undefined, what: string): Rational | undefined =>
    text === undefined ? undefined : parseRational(text, what);
  return { main: read(own, name), delta: read(delta, "delta") };
}
