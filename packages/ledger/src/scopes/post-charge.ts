import type { PrivacyLoss } from "@lethe/core";
import { composeLosses, lossLeft } from "@lethe/core/accounting";
import { type Account, type AccountMeter, isAccountCovered, rolledAccount } from "./account.ts";
import type { Books, Posting } from "./books.ts";
import { heldBy, isCovered, type Meter, rolled, withLoss } from "./meter.ts";
import type { Period } from "./period.ts";
import { newScope, type Scope } from "./scope.ts";
import type { ScopeName } from "./scope-name.ts";

/** The first cap that does not cover a charge. */
export interface Lack {
  readonly scope: ScopeName;
  readonly per: Period;
}

/** A loss, and the scopes that it is charged to beside the account. */
export interface Posted {
  readonly loss: PrivacyLoss;
  readonly scopes: readonly ScopeName[];
  /** False where the account has paid for the answer before. */
  readonly chargesAccount: boolean;
}

/**
 * Puts a charge on every meter that covers it, at the time that the account has seen, or says which cap it does not fit: the scopes' in their order,
 * then the account's. All or nothing.
 */
export function postCharge(
  books: Books,
  { loss, scopes, chargesAccount }: Posted,
  now: number,
): Posting | Lack {
  const { measure } = books.account;
  let meters = books.account.meters.map((meter) => rolledAccount(meter, now));
  const after: Scope[] = [];
  for (const name of scopes) {
    const before = books.scope(name) ?? newScope(measure, name);
    const own: Meter[] = [];
    for (const meter of before.meters.map((each) => rolled(each, now))) {
      const charged = withLoss(meter, loss);
      if (!isCovered(charged)) return { scope: name, per: meter.per };
      own.push(charged);
      meters = meters.map((each) => (each.per === meter.per ? released(each, meter, charged) : each));
    }
    after.push({ ...before, meters: own });
  }
  if (chargesAccount) {
    meters = meters.map((meter) => withLoss(meter, loss));
    const lacking = meters.find((meter) => !isAccountCovered(meter));
    if (lacking) return { scope: ["account"], per: lacking.per };
  }
  const account: Account = { ...books.account, meters };
  return { account, scopes: after };
}

/** Takes from what the account holds the part of a reserved share that a charge used up. */
function released(account: AccountMeter, before: Meter, after: Meter): AccountMeter {
  if (before.reserved === null) return account;
  const used = lossLeft(heldBy(before), heldBy(after));
  return { ...account, held: lossLeft(account.held, used) };
}

/** Sets what the account holds for the scopes that reserved a part of it, at the time that it has seen. */
export function withReservations(account: Account, scopes: Iterable<Scope>): Account {
  const { measure, seen } = account;
  const sums = new Map(
    account.meters.map(({ per }) => [per, { promised: [] as PrivacyLoss[], held: [] as PrivacyLoss[] }]),
  );
  for (const scope of scopes) {
    if (scope.shut) continue;
    for (const meter of scope.meters) {
      if (meter.reserved === null) continue;
      const sum = sums.get(meter.per);
      const now = rolled(meter, seen);
      sum?.held.push(heldBy(now));
      sum?.promised.push(heldBy({ ...now, spent: composeLosses(measure, []) }));
    }
  }
  const meters = account.meters.map((meter) => ({
    ...rolledAccount(meter, seen),
    promised: composeLosses(measure, sums.get(meter.per)?.promised ?? []),
    held: composeLosses(measure, sums.get(meter.per)?.held ?? []),
  }));
  return { ...account, meters };
}
