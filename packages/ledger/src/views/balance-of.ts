import { LetheError } from "@lethe/core";
import { maySee } from "../decisions/left-for.ts";
import type { PeriodBalance, ScopeBalance } from "../ledger.ts";
import { rolledAccount } from "../scopes/account.ts";
import type { Books } from "../scopes/books.ts";
import { owner } from "../scopes/may-ask.ts";
import { type Meter, rolled } from "../scopes/meter.ts";
import { newScope } from "../scopes/scope.ts";
import { isOwn, type ScopeName } from "../scopes/scope-name.ts";

/**
 * Returns caps and spending of a scope at the time that its account has seen. An analyst sees their own, the caps of the account, of projects and of
 * data sets, and the account's spending where the policy shows it. Errors: ledger.principal for another analyst's, whether there is such a one or not.
 */
export function balanceOf(books: Books, name: ScopeName, viewer: string): ScopeBalance {
  const { account } = books;
  const isOthers = name[0] === "analyst" || name[0] === "member";
  if (viewer !== owner && isOthers && !isOwn(name, viewer)) throw notYours(viewer);
  const sees = maySee(account, viewer, name);
  const period = (meter: Meter): PeriodBalance => ({
    per: meter.per,
    since: meter.start,
    cap: meter.limit,
    spent: sees ? meter.spent : null,
    reserved: meter.reserved,
  });
  const { measure, seen } = account;
  if (name[0] === "account") {
    const periods = account.meters.map((meter) => period(rolledAccount(meter, seen)));
    return {
      scope: name,
      measure,
      periods: limitedOf(periods),
      listed: true,
      closed: account.closed || account.shut,
    };
  }
  const scope = books.scope(name) ?? newScope(measure, name);
  const periods = scope.meters.map((meter) => period(rolled(meter, seen)));
  return { scope: name, measure, periods: limitedOf(periods), listed: scope.listed, closed: scope.shut };
}

/** The lifetime, and the windows that have a cap. */
function limitedOf(periods: readonly PeriodBalance[]): PeriodBalance[] {
  return periods.filter(({ per, cap }) => per === "ever" || cap !== null);
}

export function notYours(viewer: string): LetheError {
  return new LetheError("ledger.principal", `${viewer} may see no other analyst's charges`, {
    fix: "ask for your own, or as the owner",
    fields: { principal: viewer },
  });
}
