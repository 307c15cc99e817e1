import { invalidParameter, lossToJson, type PrivacyLoss } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import { type Balance, mayAsk } from "../account/balance.ts";
import type { ReserveRequest } from "../ledger.ts";
import { advance, charged } from "../records/advance.ts";
import type { Entry, ReservePayload } from "../records/entry.ts";
import { sealAfter } from "../records/record.ts";
import { readState, type State } from "../records/state.ts";
import type { Decision, Snapshot } from "../stores/store.ts";
import { closedAccount, foreignRequest, overBudget, tooManyFailures, unknownPrincipal } from "./refusals.ts";

export type Reserved =
  | { readonly kind: "settled"; readonly release: string }
  | {
      readonly kind: "charged";
      readonly resumed: boolean;
      readonly sequence: number;
      readonly hash: string;
      /** The loss that was charged: the request's own, or that of `otherwise`. */
      readonly loss: PrivacyLoss;
    };

/**
 * An answered request gets its bytes, a paid one its charge, a new one is charged if caps allow. `requirePolicy` throws where
 * the policy that it is asked under is not the account's at this moment.
 */
export function decideReserve(
  snapshot: Snapshot,
  request: ReserveRequest,
  at: number,
  requirePolicy: (balance: Balance) => void,
): Decision<Reserved> {
  const state = readState(snapshot);
  if (state.paid) return { append: null, result: resume(state, state.paid, request) };
  const { balance, head, history } = state;
  requirePolicy(balance);
  if (balance.stated?.closed) throw closedAccount();
  if (!mayAsk(balance, request.principal)) throw unknownPrincipal(request.principal);
  const choices = choicesOf(request);
  for (const { loss } of choices) {
    if (loss.measure === balance.measure) continue;
    throw invalidParameter("the loss", loss.measure, `a loss under ${balance.measure}, as the account`);
  }
  const fits = choices.find(({ loss }) => charged(balance, request.principal, loss) !== null);
  if (!fits) throw overBudget(balance, request.principal, request.loss);
  if (!(balance.failures + balance.open < balance.failureCap)) throw tooManyFailures();
  const entry: Entry = { kind: "reserve", payload: payloadOf(fits) };
  const append = sealAfter(head, at, entry, advance(balance, entry, history));
  const { sequence, hash } = append.record;
  return { append, result: { kind: "charged", resumed: false, sequence, hash, loss: fits.loss } };
}

/** The request as it was asked, and then as it is charged where that does not fit. */
function choicesOf({ otherwise, ...request }: ReserveRequest): readonly ReserveRequest[] {
  return otherwise ? [request, { ...request, ...otherwise }] : [request];
}

function resume(state: State, paid: NonNullable<State["paid"]>, request: ReserveRequest): Reserved {
  const { payload, record } = paid;
  if (payload.requestHash !== request.requestHash || payload.principal !== request.principal) {
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
  const { failures, open, failureCap } = state.balance;
  if (state.history.failures > 0 && !(failures + open < failureCap)) throw tooManyFailures();
  return { kind: "charged", resumed: true, sequence: record.sequence, hash: record.hash, loss: same.loss };
}

function payloadOf({ requestId, requestHash, principal, loss, event, text }: ReserveRequest): ReservePayload {
  return { requestId, requestHash, principal, loss: lossToJson(loss), event, text };
}
