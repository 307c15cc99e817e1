import { LetheError, lossFromJson, lossToJson, type PrivacyLoss } from "@lethe/core";
import { issueCharge, requireIssued } from "../charge.ts";
import type { Charge, Ledger, Reservation, ReserveRequest, ScopeBalance, SettledRequest } from "../ledger.ts";
import type { ScopeName } from "../scopes/scope-name.ts";
import type { CallLedger, LentPrice } from "./ledger-call.ts";
import { balanceFrom } from "./lent-balance.ts";

/**
 * A ledger that lies in another thread, which lent it: see lendLedger. A charge is issued here once the other side has told that it is durable there, and not before, so that it proves a
 * payment as any charge does.
 */
class BorrowedLedger implements Ledger {
  readonly publicKey: string;
  readonly #call: CallLedger;

  constructor(call: CallLedger, publicKey: string) {
    this.#call = call;
    this.publicKey = publicKey;
  }

  async reserve({ otherwise, ...request }: ReserveRequest): Promise<Reservation> {
    const reserved = await this.#call("reserve", {
      ...request,
      ...lentPrice(request),
      ...(otherwise ? { otherwise: lentPrice(otherwise) } : {}),
    });
    if (reserved.kind === "settled") return reserved;
    const { charge, resumed } = reserved;
    const { requestId, principal, sequence, hash } = charge;
    const loss = lossFromJson(charge.loss);
    return {
      kind: "charged",
      resumed,
      charge: issueCharge(this, { requestId, principal, loss, sequence, hash }),
    };
  }

  settled(requestId: string, principal: string): Promise<SettledRequest | null> {
    return this.#call("settled", { requestId, principal });
  }

  askersOf(requestId: string): Promise<readonly string[]> {
    return this.#call("askersOf", { requestId });
  }

  requestsOf(principal: string, most: number): Promise<readonly string[]> {
    return this.#call("requestsOf", { principal, most });
  }

  async settle(charge: Charge, release: string): Promise<string> {
    requireIssued(this, charge);
    return this.#call("settle", { requestId: charge.requestId, release });
  }

  async fail(charge: Charge): Promise<void> {
    requireIssued(this, charge);
    await this.#call("fail", { requestId: charge.requestId });
  }

  /** Shows the account alone. Errors: internal.invariant for another scope. */
  async balance(scope: ScopeName, viewer: string): Promise<ScopeBalance> {
    if (scope[0] !== "account") throw notLent();
    return balanceFrom(await this.#call("balance", { viewer }));
  }

  async remaining(
    principal: string,
    within: Pick<ReserveRequest, "project" | "dataSets"> | null = null,
  ): Promise<PrivacyLoss> {
    return lossFromJson(await this.#call("remaining", { principal, within }));
  }

  sign(text: string): Promise<string> {
    return this.#call("sign", { text });
  }

  /** Errors, as of those that follow: internal.invariant. Charges, shares and what the owner alone sees are not lent. */
  async report(): Promise<never> {
    throw notLent();
  }

  async share(): Promise<never> {
    throw notLent();
  }

  async head(): Promise<never> {
    throw notLent();
  }

  async account(): Promise<never> {
    throw notLent();
  }

  async charges(): Promise<never> {
    throw notLent();
  }

  async charge(): Promise<never> {
    throw notLent();
  }

  async close(): Promise<void> {}
}

/** Returns the ledger that lies on the other side of `call`. `publicKey` is that ledger's, SPKI PEM. */
export function borrowLedger(call: CallLedger, publicKey: string): Ledger {
  return new BorrowedLedger(call, publicKey);
}

function lentPrice({ loss, event }: Pick<ReserveRequest, "loss" | "event">): LentPrice {
  return { loss: lossToJson(loss), event };
}

function notLent(): LetheError {
  return new LetheError(
    "internal.invariant",
    "a lent ledger shows no charges, and no balance but the account's",
    {
      fix: "ask the ledger itself, in the thread that it lies in",
    },
  );
}
