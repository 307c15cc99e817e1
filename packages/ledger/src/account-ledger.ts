import { invalidParameter, lossFromJson, type PrivacyLoss } from "@lethe/core";
import { lossLeft } from "@lethe/core/accounting";
import { type Balance, mayAsk } from "./account/balance.ts";
import type { AccountBudget } from "./account/budget.ts";
import { type BudgetChange, changesOf, termsOf } from "./account/budget-changes.ts";
import { statedBudget } from "./account/stated-budget.ts";
import { issueCharge, requireIssued } from "./charge.ts";
import { type Application, type BudgetProposal, decideApply, statedIfNone } from "./decisions/apply.ts";
import { type FollowedPolicy, requireFollowed } from "./decisions/follow.ts";
import { decideGrant, type Grant, requireGrant } from "./decisions/grant.ts";
import { leftFor, unknownPrincipal } from "./decisions/refusals.ts";
import { decideReserve } from "./decisions/reserve.ts";
import { decideFail, decideSettle } from "./decisions/settle.ts";
import { type KeyPair, signText } from "./directory/key-pair.ts";
import type {
  AccountTotals,
  BudgetRecord,
  BudgetReport,
  Charge,
  Ledger,
  Reservation,
  ReserveRequest,
  SettledRequest,
} from "./ledger.ts";
import { corrupt } from "./records/corrupt.ts";
import type { StatedBudget } from "./records/entry.ts";
import { readRecord } from "./records/record.ts";
import { type ReplayedBudget, type ReplayedCharge, replay } from "./records/replay.ts";
import { readState } from "./records/state.ts";
import { requireRequest, requireTime } from "./request-limits.ts";
import type { Store, StoredRecord } from "./stores/store.ts";

/** The records that are read at once when those of a principal are looked for. */
const pageOfRecords = 256;

/** The part of a policy that a ledger follows. */
export interface AccountPolicy {
  readonly budget: AccountBudget;
  /** Hash of what its charges are about. */
  readonly policyHash: string;
}

/** The ledger of one data source over any store. Every decision is a pure function run under the store's lock. */
export class AccountLedger implements Ledger {
  readonly source: string;
  readonly publicKey: string;
  readonly #store: Store;
  readonly #keys: KeyPair;
  readonly #clock: () => number;
  readonly #begun: StatedBudget;
  readonly #policy: FollowedPolicy | null;

  /**
   * Takes `source` and `begun`, the first budget, from the genesis record, and the `keys` that it names. Where a `policy` is given, nothing
   * is charged while the account is not that policy's.
   */
  constructor(
    { source, begun }: { readonly source: string; readonly begun: StatedBudget },
    store: Store,
    keys: KeyPair,
    clock: () => number,
    policy: AccountPolicy | null = null,
  ) {
    this.#begun = begun;
    this.#policy = policy && followed(policy);
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
      decideReserve(snapshot, request, at, (balance) => this.#requirePolicy(balance)),
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

  async requestsOf(principal: string, most: number): Promise<readonly string[]> {
    const found: string[] = [];
    let before: number | null = null;
    for (;;) {
      const page: readonly StoredRecord[] = await this.#store.newest("reserve", before, pageOfRecords);
      for (const record of page) {
        const entry = readRecord(record);
        if (entry.kind !== "reserve" || entry.payload.principal !== principal) continue;
        found.push(entry.payload.requestId);
        if (found.length === most) return found;
      }
      const last = page.at(-1);
      if (page.length < pageOfRecords || !last) return found;
      before = last.sequence;
    }
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
    const { balance, head, charges, budgets, problem } = replay(await this.#store.readAll());
    if (problem || !balance || !head) throw corrupt(problem?.reason ?? "it is empty", problem?.sequence);
    const { measure, granted, spent, analysts, stated } = balance;
    return {
      measure,
      closed: stated?.closed ?? false,
      granted,
      spent,
      left: lossLeft(granted, spent),
      analysts: [...analysts].map(([name, sub]) => ({ name, ...sub })),
      charges: charges.map(chargeReport),
      budgets: budgets.map(budgetRecord),
      head: { sequence: head.sequence, hash: head.hash },
    };
  }

  async account(): Promise<AccountTotals> {
    const { granted, spent } = readState(await this.#store.snapshot(null)).balance;
    return { granted, spent, left: lossLeft(granted, spent) };
  }

  /** Raises caps, for the owner alone: see {@link Grant}. */
  async grant(added: Grant): Promise<void> {
    requireGrant(added);
    const at = requireTime(this.#clock);
    await this.#store.transact(null, (snapshot) => decideGrant(snapshot, added, at));
  }

  /** Says what {@link apply} would do now, and what is spent. Errors: those of apply. */
  async propose(application: Application): Promise<BudgetProposal> {
    return this.#store.transact(null, (snapshot, past) => {
      const { result } = decideApply(snapshot, past, application, { begun: this.#begun, shown: null, at: 0 });
      return { append: null, result };
    });
  }

  /**
   * Puts a policy's budget on record, which the account has from then on. Where it has that budget already, nothing is recorded. `shown`
   * holds the changes that the owner agreed to; if they are others by now, nothing is recorded either.
   * Errors: policy.changed (another measure, other units), ledger.budget (below what is spent), ledger.busy, parameter.invalid.
   */
  async apply(
    application: Application,
    shown: readonly BudgetChange[] | null = null,
  ): Promise<BudgetProposal> {
    const at = requireTime(this.#clock);
    return this.#store.transact(null, (snapshot, past) =>
      decideApply(snapshot, past, application, { begun: this.#begun, shown, at }),
    );
  }

  /** Refuses a policy that is not the account's, or not the one that the ledger was opened with. Errors: policy.changed. */
  async requirePolicy(policy?: AccountPolicy): Promise<void> {
    this.#requirePolicy(readState(await this.#store.snapshot(null)).balance, policy && followed(policy));
  }

  #requirePolicy(balance: Balance, policy: FollowedPolicy | null = this.#policy): void {
    if (policy) requireFollowed(balance, this.#begun, policy);
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

function followed({ budget, policyHash }: AccountPolicy): FollowedPolicy {
  return { budget: statedBudget(budget), policyHash };
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

function budgetRecord({ record, entry, before, after }: ReplayedBudget): BudgetRecord {
  const renaming = entry.kind === "apply" ? entry.payload.renamed : [];
  const changes = changesOf(termsOf(before), termsOf(after), renaming);
  const accepted: BudgetChange[] = [
    ...raisedFailures(before.failureCap, after.failureCap),
    ...(before.policyHash === after.policyHash
      ? []
      : [{ how: "accepted" as const, what: "the policy's tables and units", from: null, to: null }]),
  ];
  const { sequence, at } = record;
  const all = [...changes, ...accepted];
  return { sequence, at, kind: entry.kind, reason: entry.payload.reason, changes: statedIfNone(all) };
}

function raisedFailures(from: number, to: number): BudgetChange[] {
  const what = "executions that may fail";
  return from === to ? [] : [{ how: "raised", what, from: String(from), to: String(to) }];
}
