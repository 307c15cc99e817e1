import type { AccountLedger, ChargeReport, ScopeBalance, ScopeName } from "@lethe/ledger";

/** The part of an account that an analyst may see. */
export interface SeenBudget {
  /** The account, the analyst's own scopes, projects and data sets. */
  readonly scopes: readonly ScopeBalance[];
  /** The analyst's own, oldest first. */
  readonly charges: readonly ChargeReport[];
}

/** Returns the part of an account that an analyst may see. Errors: ledger.*. */
export async function seenBy(ledger: AccountLedger, viewer: string): Promise<SeenBudget> {
  const { scopes } = await ledger.report();
  const own: ScopeName = ["analyst", viewer];
  const names = scopes.map(({ scope }) => scope).filter((scope) => isSeen(scope, viewer));
  if (!names.some(([kind]) => kind === "analyst")) names.splice(1, 0, own);
  return {
    scopes: await Promise.all(names.map((name) => ledger.balance(name, viewer))),
    charges: await ownCharges(ledger, viewer),
  };
}

function isSeen([kind, name]: ScopeName, viewer: string): boolean {
  return (kind !== "analyst" && kind !== "member") || name === viewer;
}

async function ownCharges(ledger: AccountLedger, viewer: string): Promise<readonly ChargeReport[]> {
  const found: ChargeReport[] = [];
  for (let before: number | null = null; ; ) {
    const page = await ledger.charges({ viewer, principal: viewer, before, most: 1000 });
    found.push(...page.charges);
    if (page.before === null) return found.reverse();
    before = page.before;
  }
}
