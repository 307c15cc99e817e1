import { LetheError, lossFromJson, lossToJson } from "@lethe/core";
import type { Charge, Ledger, Reservation } from "../ledger.ts";
import { owner } from "../scopes/may-ask.ts";
import type { LedgerCall, LedgerCalls, LentCharge, LentPrice, LentRequest } from "./ledger-call.ts";
import { lentBalance } from "./lent-balance.ts";

/** A ledger as it is lent to one piece of work in another thread, on behalf of one principal. The charges themselves never leave. */
export interface LentLedger {
  /** Answers a call. Errors: those of the ledger; ledger.request for another principal, or a charge that was not made here. */
  answer(call: LedgerCall): Promise<unknown>;
  /**
   * Records that the work has failed under every charge that is not settled, also one that is being made durable: for work that died. Nothing more is answered. Returns whether
   * there was such a charge.
   */
  abandon(): Promise<boolean>;
}

type Answers = {
  readonly [Name in keyof LedgerCalls]: (
    ask: LedgerCalls[Name]["ask"],
  ) => Promise<LedgerCalls[Name]["reply"]>;
};

/**
 * Lends a ledger to work for one principal. A charge is durable before the reply to `reserve`, so that work which starts upon that reply is paid for.
 * @example const lent = lendLedger(ledger, "ana"); // in the main thread; borrowLedger in the other
 */
export function lendLedger(ledger: Ledger, principal: string): LentLedger {
  const open = new Map<string, Charge>();
  const reserving = new Set<Promise<Reservation>>();
  let isOver = false;
  const own = <Ask extends { readonly principal: string }>(ask: Ask): Ask => {
    if (ask.principal !== principal) throw notLent(`the principal ${JSON.stringify(ask.principal)}`);
    return ask;
  };
  const chargeOf = (requestId: string): Charge => {
    const charge = open.get(requestId);
    if (!charge) throw notLent(`the charge of ${JSON.stringify(requestId)}`);
    return charge;
  };
  const answers: Answers = {
    async reserve(ask) {
      const pending = ledger.reserve(requestOf(own(ask)));
      reserving.add(pending);
      try {
        const reserved = await pending;
        if (reserved.kind === "settled") return reserved;
        open.set(reserved.charge.requestId, reserved.charge);
        return lentReservation(reserved);
      } finally {
        reserving.delete(pending);
      }
    },
    // The owner may lean on the answers of all.
    settled: (ask) => ledger.settled(ask.requestId, principal === owner ? ask.principal : own(ask).principal),
    async askersOf({ requestId }) {
      if (principal !== owner) throw notLent("the requests of others");
      return ledger.askersOf(requestId);
    },
    requestsOf: (ask) => ledger.requestsOf(own(ask).principal, ask.most),
    async settle({ requestId, release }) {
      const bytes = await ledger.settle(chargeOf(requestId), release);
      open.delete(requestId);
      return bytes;
    },
    async fail({ requestId }) {
      const charge = chargeOf(requestId);
      open.delete(requestId);
      await ledger.fail(charge);
      return null;
    },
    async balance({ viewer }) {
      if (viewer !== principal) throw notLent(`what ${JSON.stringify(viewer)} may see`);
      return lentBalance(await ledger.balance(["account"], principal));
    },
    remaining: async (ask) => lossToJson(await ledger.remaining(own(ask).principal, ask.within ?? undefined)),
    sign: ({ text }) => ledger.sign(text),
  };
  const answer = <Name extends keyof LedgerCalls>(name: Name, ask: LedgerCalls[Name]["ask"]) =>
    answers[name](ask);
  return {
    async answer(call) {
      if (isOver) throw over();
      return answer(call.name, call.ask as never);
    },
    async abandon() {
      isOver = true;
      // A charge that is being made durable as the work ends is paid for work that will not run.
      for (const reserved of await Promise.allSettled([...reserving]))
        if (reserved.status === "fulfilled" && reserved.value.kind === "charged")
          open.set(reserved.value.charge.requestId, reserved.value.charge);
      const charges = [...open.values()];
      open.clear();
      for (const charge of charges) await ledger.fail(charge);
      return charges.length > 0;
    },
  };
}

function requestOf({ otherwise, ...request }: LentRequest): Parameters<Ledger["reserve"]>[0] {
  return { ...request, ...priceOf(request), ...(otherwise ? { otherwise: priceOf(otherwise) } : {}) };
}

function priceOf({ loss, event }: LentPrice): Pick<Parameters<Ledger["reserve"]>[0], "loss" | "event"> {
  return { loss: lossFromJson(loss), event };
}

function lentReservation({ charge, resumed }: Extract<Reservation, { kind: "charged" }>): {
  readonly kind: "charged";
  readonly charge: LentCharge;
  readonly resumed: boolean;
} {
  const { requestId, principal, loss, sequence, hash } = charge;
  return {
    kind: "charged",
    resumed,
    charge: { requestId, principal, loss: lossToJson(loss), sequence, hash },
  };
}

function notLent(what: string): LetheError {
  return new LetheError("ledger.request", `the ledger was not lent for ${what}`, {
    fix: "ask as the principal that the work is for, and settle what was reserved",
  });
}

function over(): LetheError {
  return new LetheError("ledger.request", "the work that the ledger was lent for is over", {
    fix: "ask again: under the same request nothing more is charged",
  });
}
