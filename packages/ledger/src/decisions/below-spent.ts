import { LetheError, type Rational } from "@lethe/core";
import { compare, zero } from "@lethe/core/numeric";
import { exactText } from "../account/budget-changes.ts";
import { deltaOf, mainOf, symbolOf } from "../account/main-number.ts";
import type { Posting } from "../scopes/books.ts";
import { boundedSum } from "../scopes/meter.ts";
import { periodWords } from "../scopes/period.ts";
import type { Lack } from "../scopes/post-charge.ts";
import { scopeKey, scopeWords } from "../scopes/scope-name.ts";

/** The error ledger.budget for a cap that does not cover what is spent, and of the account what is spent and reserved together. */
export function belowSpentOf({ account, scopes }: Posting, { scope: name, per }: Lack): LetheError {
  const own = account.meters.find((meter) => meter.per === per);
  const meter =
    name[0] === "account"
      ? own
      : scopes
          .find((scope) => scopeKey(scope.name) === scopeKey(name))
          ?.meters.find((each) => each.per === per);
  const held = name[0] === "account" && own && mainOf(own.held).num + (deltaOf(own.held)?.num ?? 0n) > 0n;
  const spent = meter && (held ? boundedSum(meter.spent, own.held) : meter.spent);
  const main = meter?.limit?.main ?? null;
  const used = spent ? mainOf(spent) : zero;
  const isMain = main !== null && compare(used, main) > 0;
  const [symbol, least, stated] = isMain
    ? [symbolOf(account.measure), used, main]
    : ["δ", (spent && deltaOf(spent)) ?? zero, meter?.limit?.delta ?? zero];
  const window = per === "ever" ? "" : ` ${periodWords(per)}`;
  const what =
    name[0] === "account"
      ? `the budget${window}`
      : name[0] === "analyst"
        ? `${name[1]}'s share${window}`
        : `the cap of ${scopeWords(name)}${window}`;
  return belowSpent(what, exactText(stated), `${symbol} ${exactText(least as Rational)}`, held === true);
}

function belowSpent(what: string, stated: string, least: string, held: boolean): LetheError {
  return new LetheError(
    "ledger.budget",
    `${what} cannot be ${stated}: ${least} is spent${held ? " or reserved to analysts" : ""}, and what was released cannot be taken back`,
    {
      fix: `state at least ${least}; to let nothing more be charged use lethe budget close or lethe budget revoke, or write closed: true in the policy's budget`,
      fields: { stated, spent: least },
    },
  );
}
