import { invalidParameter, lossFromJson, lossLeft, type PrivacyLoss } from "@lethe/core";
import { mayAsk } from "./account/balance.ts";
import { issueCharge, requireIssued } from "./charge.ts";
import { decideGrant, type Grant, requireGrant } from "./decisions/grant.ts";
import { leftFor, unknownPrincipal } from "./decisions/refusals.ts";
import { decideReserve } from "./decisions/reserve.ts";
import { decideFail, decideSettle } from "./decisions/settle.ts";
import { type KeyPair, signText } from "./directory/key-pair.ts";
import type {
  AccountTotals,
  BudgetReport,
  Charge,
  Ledger,
  Reservation,
  ReserveRequest,
  SettledRequest,
} from "./ledger.ts";
import { corrupt } from "./records/corrupt.ts";
import { type ReplayedCharge, replay } from "./records/replay.ts";
import { readState } from "./records/state.ts";
import { requireRequest, requireTime } from "./request-limits.ts";
import type { Store } from "./stores/store.ts";

/** The ledger of one data source over any store. Every decision is a pure function run under the store's lock. */
export class AccountLedger implements Ledger {
  readonly source: string;
  readonly publicKey: string;
  readonly #store: Store;
  readonly #keys: KeyPair;
  readonly #clock: () => number;

  /** `source` is the genesis record's; `keys` are those it names. */
  constructor(source: string, store: Store, keys: KeyPair, clock: () => number) {
    this.source = source;
    this.publicKey = keys.publicKey;
    this.#store = store;
    this.#keys = keys;
    this.#clock = clock;
  }

  async reserve(request: ReserveRequest): Promise<Reservation> {
    requireRequest(request);
    const at = requireTime(this.#clock);
    const reserved = await this.#store.transact(request.requestId, (snapshot) =>
      decideReserve(snapshot, request, at),
    );
    if (reserved.kind === "settled") return reserved;
    const { requestId, principal } = request;
    const { resumed, sequence, hash, loss } = reserved;
    const charge = issueCharge(this, { requestId, principal, loss, sequence, hash });
    return { kind: "charged", charge, resumed };
  }

  async settled(requestId: string): Promise<SettledRequest | null> {
    const { paid, release } = readState(await this.#store.snapshot(requestId));
    return paid && release !== null ? { principal: paid.payload.principal, release } : null;
  }

  async settle(charge: Charge, release: string): Promise<string> {
    requireIssued(this, charge);
    const bytes = Buffer.from(release, "utf8");
    if (bytes.toString("utf8") !== release) {
      throw invalidParameter("the release", "a text with half a surrogate pair", "well-formed Unicode");
    }
    const at = requireTime(this.#clock);
    return this.#store.transact(charge.requestId, (snapshot) =>
      decideSettle(snapshot, charge.requestId, release, bytes, at),
    );
  }

  async fail(charge: Charge): Promise<void> {
    requireIssued(this, charge);
    const at = requireTime(this.#clock);
    await this.#store.transact(charge.requestId, (snapshot) => decideFail(snapshot, charge.requestId, at));
  }

  async remaining(principal: string): Promise<PrivacyLoss> {
    const { balance } = readState(await this.#store.snapshot(null));
    if (!mayAsk(balance, principal)) throw unknownPrincipal(principal);
    return leftFor(balance, principal);
  }

  /** Replays the whole chain. Errors: ledger.corrupt when it does not hold. */
  async report(): Promise<BudgetReport> {
    const { balance, head, charges, problem } = replay(await this.#store.readAll());
    if (problem || !balance || !head) throw corrupt(problem?.reason ?? "it is empty", problem?.sequence);
    const { measure, granted, spent, analysts } = balance;
    return {
      measure,
      granted,
      spent,
      left: lossLeft(granted, spent),
      analysts: [...analysts].map(([name, sub]) => ({ name, ...sub })),
      charges: charges.map(chargeReport),
      head: { sequence: head.sequence, hash: head.hash },
    };
  }

  async account(): Promise<AccountTotals> {
    const { granted, spent } = readState(await this.#store.snapshot(null)).balance;
    return { granted, spent, left: lossLeft(granted, spent) };
  }

  /** Raises caps. For the owner; see {@link Grant}. */
  async grant(added: Grant): Promise<void> {
    requireGrant(added);
    const at = requireTime(this.#clock);
    await this.#store.transact(null, (snapshot) => decideGrant(snapshot, added, at));
  }

  /** Hash of the policy that the owner last agreed to: at init, or with a grant. */
  async policyHash(): Promise<string> {
    return readState(await this.#store.snapshot(null)).balance.policyHash;
  }

  async sign(text: string): Promise<string> {
    return signText(this.#keys, text);
  }

  async close(): Promise<void> {
    await this.#store.close();
  }
}

function chargeReport({ record, payload, history }: ReplayedCharge): BudgetReport["charges"][number] {
  return {
    sequence: record.sequence,
    at: record.at,
    principal: payload.principal,
    requestId: payload.requestId,
    text: payload.text,
    loss: lossFromJson(payload.loss),
    state: history.settled ? "settled" : history.failures > 0 ? "failed" : "reserved",
  };
}
