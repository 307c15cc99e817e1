import type { PrivacyLoss } from "@lethe/core";
import { composeLosses, lossLeft } from "@lethe/core/accounting";
import { type Account, type AccountMeter, rolledAccount } from "../scopes/account.ts";
import type { Books } from "../scopes/books.ts";
import { type Limit, lossOfLimit, lower, restOf } from "../scopes/limit.ts";
import { owner } from "../scopes/may-ask.ts";
import { heldBy, type Meter, rolled } from "../scopes/meter.ts";
import { type Asker, isOwn, type ScopeName, scopesOf } from "../scopes/scope-name.ts";

/** Whether somebody may see what a scope has spent: the owner all of it, everybody their own, and the account's where the policy says so. */
export function maySee({ showAccount }: Account, viewer: string, name: ScopeName): boolean {
  return viewer === owner || isOwn(name, viewer) || (name[0] === "account" && showAccount);
}

/**
 * Returns what is left for an asker, as far as a viewer may know: the least of every cap that covers the asker, where a cap whose spending the
 * viewer may not see counts in whole. For the owner that is what fits.
 */
export function leftFor(books: Books, asker: Asker, viewer: string): PrivacyLoss {
  const { account } = books;
  const { measure, seen } = account;
  const own: { readonly name: ScopeName; readonly meter: Meter }[] = [];
  for (const name of scopesOf(asker)) {
    for (const meter of books.scope(name)?.meters ?? []) own.push({ name, meter: rolled(meter, seen) });
  }
  const rests = own.map(({ name, meter }) => {
    if (meter.limit === null) return none;
    return maySee(account, viewer, name) ? restOf(meter.limit, meter.spent) : meter.limit;
  });
  const all = account.meters.map((meter) => {
    if (meter.limit === null) return none;
    if (!maySee(account, viewer, ["account"])) return meter.limit;
    const parts = own.flatMap((each) => (each.meter.per === meter.per ? [heldBy(each.meter)] : []));
    return restOf(meter.limit, takenFrom(rolledAccount(meter, seen), composeLosses(measure, parts)));
  });
  return lossOfLimit(measure, [...rests, ...all].reduce(lower, none));
}

const none: Limit = { main: null, delta: null };

/** What others have of the account: all that is spent, and what is held for them. */
function takenFrom({ spent, held }: AccountMeter, own: PrivacyLoss): PrivacyLoss {
  return composeLosses(spent.measure, [spent, lossLeft(held, own)]);
}

/** Returns what of the account's lifetime is neither spent nor reserved to others than the asker of nothing. */
export function accountLeft({ limit, spent }: AccountMeter): PrivacyLoss | null {
  return limit && lossOfLimit(spent.measure, restOf(limit, spent));
}

/** Returns the loss of a cap, or null where there is none. */
export function grantedOf({ limit, spent }: Meter): PrivacyLoss | null {
  return limit && lossOfLimit(spent.measure, limit);
}
