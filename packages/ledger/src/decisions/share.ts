import { LetheError, lossFromJson } from "@lethe/core";
import { advance, received } from "../records/advance.ts";
import type { Entry } from "../records/entry.ts";
import { sealAfter } from "../records/record.ts";
import { stateAt } from "../records/state.ts";
import type { Books } from "../scopes/books.ts";
import { mayAsk } from "../scopes/may-ask.ts";
import type { Decision, Snapshot } from "../stores/store.ts";
import { foreignRequest, overBudget, refusalOf } from "./refusals.ts";

/** An answer of one analyst that is to be served to another. */
export interface ShareRequest {
  /** Whose request was answered. */
  readonly from: string;
  readonly requestId: string;
  /** The receiver. */
  readonly to: string;
  /** The project that the receiver works in. */
  readonly project?: string | null;
}

/**
 * Decides whether an answer is served to another analyst: the receiver's own caps are charged what it cost, once, and the account no more. Asked
 * again it is the same bytes at no charge. Errors: ledger.request where there is no such answer, ledger.budget, ledger.principal.
 */
export function decideShare(
  snapshot: Snapshot,
  { from, requestId, to, project = null }: ShareRequest,
  at: number,
  requirePolicy: (snapshot: Snapshot, books: Books) => void,
): Decision<string> {
  const { head, books, history, paid, release, tree } = stateAt(snapshot, at);
  if (!paid || release === null || from === to) throw noAnswer(requestId);
  const before = history.shares.get(to);
  if (before !== undefined) {
    if (before !== project) throw foreignRequest(requestId, "was received in another project");
    return { append: null, result: release };
  }
  requirePolicy(snapshot, books);
  const asker = { principal: to, project, dataSets: paid.payload.dataSets };
  const refused = mayAsk(books, asker);
  if (refused) throw refusalOf(refused, asker);
  const loss = lossFromJson(paid.payload.loss);
  if (!("account" in received(books, { to, project }, loss, history)))
    throw overBudget(books, { ...asker, dataSets: [] }, loss);
  const entry: Entry = {
    kind: "share",
    payload: { principal: from, requestId, to, project, loss: paid.payload.loss },
  };
  const posting = advance(books, entry, history, { sequence: head.sequence + 1, at });
  return { append: sealAfter(head, at, entry, posting, tree), result: release };
}

/** The same words for a request that was never made, and for one that has no answer. */
function noAnswer(requestId: string): LetheError {
  return new LetheError(
    "ledger.request",
    `no answer under the id ${JSON.stringify(requestId)} can be shared`,
    {
      fix: "name a request that was answered, whose it is, and another analyst who is to have it",
      fields: { requestId },
    },
  );
}
