import { invalidParameter, lossToJson, type PrivacyLoss } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import type { ReserveRequest } from "../ledger.ts";
import { advance, charged } from "../records/advance.ts";
import type { Entry, ReservePayload } from "../records/entry.ts";
import { sealAfter } from "../records/record.ts";
import { type State, stateAt } from "../records/state.ts";
import type { Books } from "../scopes/books.ts";
import { mayAsk, stalled } from "../scopes/may-ask.ts";
import type { Asker } from "../scopes/scope-name.ts";
import type { Decision, Snapshot } from "../stores/store.ts";
import { foreignRequest, overBudget, refusalOf, tooManyFailures } from "./refusals.ts";

export type Reserved =
  | { readonly kind: "settled"; readonly release: string }
  | {
      readonly kind: "charged";
      readonly resumed: boolean;
      readonly sequence: number;
      readonly hash: string;
      /** The loss that was charged: the request's own, or that of `otherwise`. */
      readonly loss: PrivacyLoss;
      /** The latest time that the ledger has seen, where the clock is behind it; null where it is not. */
      readonly seen: number | null;
    };

/**
 * An answered request gets its bytes, a paid one its charge, a new one is charged if every cap that covers it allows. `requirePolicy` throws where
 * the policy that it is asked under is not the account's at this moment.
 */
export function decideReserve(
  snapshot: Snapshot,
  request: ReserveRequest,
  at: number,
  requirePolicy: (snapshot: Snapshot, books: Books) => void,
): Decision<Reserved> {
  const state = stateAt(snapshot, at);
  const seen = state.account.seen > at ? state.account.seen : null;
  if (state.paid) return { append: null, result: resume(state, state.paid, request, seen) };
  const { head, books, history, tree } = state;
  requirePolicy(snapshot, books);
  const asker = askerOf(request);
  const refused = mayAsk(books, asker);
  if (refused) throw refusalOf(refused, asker);
  const choices = choicesOf(request);
  const { measure } = books.account;
  for (const { loss } of choices) {
    if (loss.measure === measure) continue;
    throw invalidParameter("the loss", loss.measure, `a loss under ${measure}, as the account`);
  }
  const fits = choices.find(({ loss }) => "account" in charged(books, asker, loss));
  if (!fits) throw overBudget(books, asker, request.loss);
  if (stalled(books, request.principal)) throw tooManyFailures();
  const entry: Entry = { kind: "reserve", payload: payloadOf(fits) };
  const moment = { sequence: head.sequence + 1, at };
  const append = sealAfter(head, at, entry, advance(books, entry, history, moment), tree);
  const { sequence, hash } = append.record;
  return { append, result: { kind: "charged", resumed: false, sequence, hash, loss: fits.loss, seen } };
}

/** Returns the one who asks, as caps see it. */
export function askerOf({
  principal,
  project,
  dataSets,
}: Pick<ReserveRequest, "principal" | "project" | "dataSets">): Asker {
  return { principal, project: project ?? null, dataSets: [...new Set(dataSets ?? [])].sort() };
}

/** The request as it was asked, and then as it is charged where that does not fit. */
function choicesOf({ otherwise, ...request }: ReserveRequest): readonly ReserveRequest[] {
  return otherwise ? [request, { ...request, ...otherwise }] : [request];
}

function resume(
  state: State,
  paid: NonNullable<State["paid"]>,
  request: ReserveRequest,
  seen: number | null,
): Reserved {
  const { payload, record } = paid;
  const { project } = askerOf(request);
  if (payload.requestHash !== request.requestHash || payload.project !== project) {
    throw foreignRequest(request.requestId, "belongs to another question");
  }
  if (state.release !== null) return { kind: "settled", release: state.release };
  // A plan that changed since it was paid (another policy, another release of Lethe) may cost more than the charge.
  const same = choicesOf(request).find((choice) => {
    const { loss, event } = payloadOf(choice);
    return canonicalJson({ loss, event }) === canonicalJson({ loss: payload.loss, event: payload.event });
  });
  if (!same) {
    throw foreignRequest(request.requestId, "was paid for a plan that differs from today's");
  }
  // A first failure turns an open request into a failed one; only a second one adds to the count.
  if (state.history.failures > 0 && stalled(state.books, request.principal)) throw tooManyFailures();
  const { sequence, hash } = record;
  return { kind: "charged", resumed: true, sequence, hash, loss: same.loss, seen };
}

function payloadOf(request: ReserveRequest): ReservePayload {
  const { requestId, requestHash, principal, loss, event, text } = request;
  const { project, dataSets } = askerOf(request);
  return { requestId, requestHash, principal, project, dataSets, loss: lossToJson(loss), event, text };
}
