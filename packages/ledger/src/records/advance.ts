import { lossFromJson, type PrivacyLoss } from "@lethe/core";
import { seenAt } from "../scopes/account.ts";
import type { Books, Posting } from "../scopes/books.ts";
import { mayAsk, stalled } from "../scopes/may-ask.ts";
import { type Lack, postCharge } from "../scopes/post-charge.ts";
import { newScope, type Scope } from "../scopes/scope.ts";
import { type Asker, type ScopeName, scopeKey, scopesOf } from "../scopes/scope-name.ts";
import { begun, changeLimit, grantMore } from "../terms/change-terms.ts";
import { replaceTerms } from "../terms/replace-terms.ts";
import { corrupt } from "./corrupt.ts";
import type { Entry, ReservePayload, SharePayload } from "./entry.ts";
import { type RequestHistory, requireUnsettled } from "./history.ts";

/** The place of an entry: its record's number and time. */
export interface Moment {
  readonly sequence: number;
  readonly at: number;
}

/**
 * The account and the scopes after one more entry: the only place where the ledger adds. Writing and verifying both come here, so what was written
 * is what verifies. The account's time is the latest that it has seen, so that a clock that is set back ends no window.
 * Errors: ledger.corrupt when the entry may not stand here.
 */
export function advance(books: Books | null, entry: Entry, history: RequestHistory, moment: Moment): Posting {
  if (entry.kind === "genesis") {
    if (books) throw corrupt("a second beginning");
    return begun(entry.payload, moment);
  }
  if (!books) throw corrupt("the ledger does not begin with its genesis record");
  const now = { ...books, account: seenAt(books.account, moment.at) };
  switch (entry.kind) {
    case "upgrade":
      throw corrupt("a second upgrade");
    case "grant":
      return grantMore(now, entry.payload);
    case "limit":
      return changeLimit(now, entry.payload);
    case "apply":
      return replaceTerms(now, entry.payload, moment.sequence);
    case "reserve":
      return reserved(now, entry.payload, history);
    case "share":
      return shared(now, entry.payload, history);
    case "settle": {
      const { principal } = requireUnsettled(history);
      return counted(now, principal, { failures: 0, open: history.failures === 0 ? -1 : 0 });
    }
    case "fail": {
      const { principal } = requireUnsettled(history);
      return counted(now, principal, { failures: 1, open: history.failures === 0 ? -1 : 0 });
    }
  }
}

/** Returns what a charge leads to, or the cap that it does not fit. */
export function charged(books: Books, asker: Asker, loss: PrivacyLoss): Posting | Lack {
  return postCharge(books, { loss, scopes: scopesOf(asker), chargesAccount: true }, books.account.seen);
}

/** Returns what an answer that is served to another leads to: the receiver's caps pay, and the account has paid. */
export function received(
  books: Books,
  { to, project }: Pick<SharePayload, "to" | "project">,
  loss: PrivacyLoss,
  { reserve, shares }: RequestHistory,
): Posting | Lack {
  const own: ScopeName[] = [["analyst", to], ...(project === null ? [] : [["member", to, project] as const])];
  // A project learns an answer once, whoever of it receives it.
  const knows = project === null || reserve?.project === project || [...shares.values()].includes(project);
  const scopes = knows ? own : [...own, ["project", project] as const];
  return postCharge(books, { loss, scopes, chargesAccount: false }, books.account.seen);
}

function reserved(books: Books, payload: ReservePayload, history: RequestHistory): Posting {
  if (history.reserve) throw corrupt("a second charge of one request");
  const loss = lossOf(books, payload.loss);
  const { principal, project, dataSets } = payload;
  if (dataSets.some((name, at) => at > 0 && !(name > String(dataSets[at - 1]))))
    throw corrupt("data sets out of order");
  requireOpen(books, payload);
  if (stalled(books, principal) !== null) throw corrupt("the charge is of too many that failed");
  const posting = requirePosting(charged(books, { principal, project, dataSets }, loss));
  return counted(over(books, posting), principal, { failures: 0, open: 1 }, posting.scopes);
}

function shared(books: Books, payload: SharePayload, history: RequestHistory): Posting {
  const { reserve } = history;
  if (!reserve || !history.settled) throw corrupt("a share of what was not answered");
  if (reserve.principal === payload.to || history.shares.has(payload.to)) throw corrupt("a second share");
  const paid = lossFromJson(reserve.loss);
  const loss = lossOf(books, payload.loss);
  if (JSON.stringify(payload.loss) !== JSON.stringify(reserve.loss) || paid.measure !== loss.measure)
    throw corrupt("a share of another loss than was paid");
  requireOpen(books, { principal: payload.to, project: payload.project, dataSets: reserve.dataSets });
  return requirePosting(received(books, payload, loss, history));
}

function lossOf({ account }: Books, json: unknown): PrivacyLoss {
  const loss = lossFromJson(json);
  if (loss.measure !== account.measure) throw corrupt("the charge is of another measure");
  return loss;
}

function requireOpen(books: Books, asker: Asker): void {
  const refused = mayAsk(books, asker);
  if (refused === null) return;
  if (refused.why === "closed" && refused.scope[0] === "account")
    throw corrupt("the charge is of a closed account");
  if (refused.why === "closed") throw corrupt("the charge is of a closed scope");
  throw corrupt("the charge is of an unknown principal");
}

function requirePosting(posting: Posting | Lack): Posting {
  if ("account" in posting) return posting;
  throw corrupt("the charge exceeds a cap");
}

/** The books with a posting on them. */
function over(books: Books, { account, scopes }: Posting): Books {
  const changed = new Map(scopes.map((scope) => [scopeKey(scope.name), scope]));
  return { ...books, account, scope: (name) => changed.get(scopeKey(name)) ?? books.scope(name) };
}

/** Counts executions, of the account and of the principal. */
function counted(
  books: Books,
  principal: string,
  { failures, open }: { readonly failures: number; readonly open: number },
  others: readonly Scope[] = [],
): Posting {
  const { account } = books;
  const name = ["analyst", principal] as const;
  const scope = books.scope(name) ?? newScope(account.measure, name);
  return {
    account: { ...account, failures: account.failures + failures, open: account.open + open },
    scopes: [
      ...others.filter((other) => !(other.name[0] === "analyst" && other.name[1] === principal)),
      { ...scope, failures: scope.failures + failures, open: scope.open + open },
    ],
  };
}
