import { canonicalJson } from "@lethe/core/canonical";
import type { StatedBudget, StatedCap } from "../account/stated-budget.ts";
import { sha256 } from "../records/record-hash.ts";
import { type Account, accountMeter, isAccountCovered, rolledAccount } from "../scopes/account.ts";
import type { Books, Posting } from "../scopes/books.ts";
import { readLimit } from "../scopes/limit.ts";
import { isCovered, type Meter, newMeter, rolled } from "../scopes/meter.ts";
import type { Lack } from "../scopes/post-charge.ts";
import { withReservations } from "../scopes/post-charge.ts";
import { newScope, type Scope } from "../scopes/scope.ts";
import { type ScopeName, scopeKey } from "../scopes/scope-name.ts";

/**
 * Puts the caps of a budget in place of those before. What was spent stays spent, under each name, whether it is listed or not; what the owner
 * closed stays closed. A window that is new begins at nothing, since nobody counted what was spent in it.
 */
export function stateTerms(books: Books, budget: StatedBudget, sequence: number): Posting {
  const { seen, measure } = books.account;
  const stated = new Map(budget.scopes.map((scope) => [scopeKey(scope.name), scope]));
  const scopes = new Map<string, Scope>();
  for (const scope of books.all()) scopes.set(scopeKey(scope.name), scope);
  const changed = new Set(stated.keys());
  for (const [key, { listed }] of scopes) if (listed) changed.add(key);
  for (const key of changed) {
    const terms = stated.get(key);
    const before = scopes.get(key) ?? newScope(measure, (terms as { name: ScopeName }).name);
    scopes.set(key, {
      ...before,
      listed: terms !== undefined,
      listsMembers: terms?.name[0] === "project" && listsMembers(budget, terms.name[1]),
      meters: metersUnder(
        before.meters.map((meter) => rolled(meter, seen)),
        terms?.caps ?? [],
        (per) => newMeter(measure, per, seen),
      ),
    });
  }
  const meters = metersUnder(
    books.account.meters.map((meter) => rolledAccount(meter, seen)),
    budget.account,
    (per) => accountMeter(newMeter(measure, per, seen)),
  );
  const account: Account = {
    ...books.account,
    meters,
    closed: budget.closed,
    showAccount: budget.showAccount,
    listsAnalysts: budget.scopes.some(({ name }) => name[0] === "analyst"),
    stated: { sequence, hash: budgetHash(budget) },
  };
  return {
    account: withReservations(account, scopes.values()),
    scopes: [...changed].map((key) => scopes.get(key) as Scope),
  };
}

/** Returns the hash of a stated budget, by which two are compared. */
export function budgetHash(budget: StatedBudget): string {
  return sha256(canonicalJson(budget));
}

/** Returns the first cap that does not cover what is spent, and of the account what is spent and reserved; null where all do. */
export function capBelow({ account, scopes }: Posting): Lack | null {
  const own = account.meters.find((meter) => !isAccountCovered(meter));
  if (own) return { scope: ["account"], per: own.per };
  for (const { name, meters } of scopes) {
    const meter = meters.find((each) => !isCovered(each));
    if (meter) return { scope: name, per: meter.per };
  }
  return null;
}

function listsMembers({ scopes }: StatedBudget, project: string): boolean {
  return scopes.some(({ name }) => name[0] === "member" && name[2] === project);
}

/** Meters with these caps. One that has none any more goes on counting. */
function metersUnder<M extends Meter>(
  meters: readonly M[],
  caps: readonly StatedCap[],
  begin: (per: Meter["per"]) => M,
): M[] {
  const limited = (meter: M): M => {
    const cap = caps.find(({ per }) => per === meter.per);
    return {
      ...meter,
      limit: cap ? readLimit(cap.limit) : null,
      reserved: cap?.reserved ? readLimit(cap.reserved) : null,
    };
  };
  const fresh = caps.filter(({ per }) => !meters.some((meter) => meter.per === per));
  return [...meters, ...fresh.map(({ per }) => begin(per))].map(limited);
}
