import { invalidParameter, type PrivacyLoss } from "@lethe/core";
import type { AccountBudget } from "./account/budget.ts";
import type { BudgetChange } from "./account/budget-changes.ts";
import { statedBudget } from "./account/stated-budget.ts";
import { issueCharge, requireIssued } from "./charge.ts";
import { type Application, type BudgetProposal, decideApply } from "./decisions/apply.ts";
import { type FollowedPolicy, followedPolicy, requireFollowed } from "./decisions/follow.ts";
import { decideGrant, type Grant, requireGrant } from "./decisions/grant.ts";
import { accountLeft, grantedOf, leftFor } from "./decisions/left-for.ts";
import { decideLimit, type LimitChange, requireLimit } from "./decisions/limit.ts";
import { refusalOf } from "./decisions/refusals.ts";
import { askerOf, decideReserve } from "./decisions/reserve.ts";
import { decideFail, decideSettle } from "./decisions/settle.ts";
import { decideShare, type ShareRequest } from "./decisions/share.ts";
import { type KeyPair, signText } from "./directory/key-pair.ts";
import type {
  AccountTotals,
  BudgetReport,
  Charge,
  ChargeAsked,
  ChargePage,
  ChargeReport,
  ChargesAsked,
  Ledger,
  LedgerHead,
  Reservation,
  ReserveRequest,
  ScopeBalance,
  SettledRequest,
} from "./ledger.ts";
import { corrupt } from "./records/corrupt.ts";
import { readState, stateAt } from "./records/state.ts";
import { requireRequest, requireShare } from "./request-checks.ts";
import { requireTime } from "./request-limits.ts";
import { lifetimeOf } from "./scopes/account.ts";
import type { Books } from "./scopes/books.ts";
import { mayAsk } from "./scopes/may-ask.ts";
import type { ScopeName } from "./scopes/scope-name.ts";
import type { Snapshot, Store } from "./stores/store.ts";
import { balanceOf } from "./views/balance-of.ts";
import { budgetReport } from "./views/budget-report.ts";
import { chargeOf, chargePage, requestsPaid, requireCharges } from "./views/charge-page.ts";
import { type RecordPage, recordPage, requireRecords } from "./views/record-page.ts";

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
  readonly #policy: FollowedPolicy | null;

  /**
   * Takes `source` from the genesis record, and the `keys` that it names. Where a `policy` is given, nothing is charged while the account is not that
   * policy's.
   */
  constructor(
    source: string,
    store: Store,
    keys: KeyPair,
    clock: () => number,
    policy: AccountPolicy | null = null,
  ) {
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
    const reserved = await this.#store.transact(request, (snapshot) =>
      decideReserve(snapshot, request, at, (...asked) => this.#requirePolicy(...asked)),
    );
    if (reserved.kind === "settled") return reserved;
    const { requestId, principal } = request;
    const { resumed, sequence, hash, loss, seen } = reserved;
    const charge = issueCharge(this, { requestId, principal, loss, sequence, hash });
    return { kind: "charged", charge, resumed, ...(seen === null ? {} : { clockBehind: seen }) };
  }

  async settled(requestId: string, principal: string): Promise<SettledRequest | null> {
    return this.#store.look({ principal, requestId }, (snapshot) => {
      const { paid, release } = readState(snapshot);
      return paid && release !== null ? { principal, release } : null;
    });
  }

  async head(): Promise<LedgerHead> {
    return this.#store.look(null, ({ head }) => {
      if (!head) throw corrupt("it is empty");
      const { sequence, hash } = head;
      return { sequence, hash };
    });
  }

  async askersOf(requestId: string): Promise<readonly string[]> {
    return this.#store.look(null, (snapshot) => snapshot.principalsOf(requestId));
  }

  async requestsOf(principal: string, most: number): Promise<readonly string[]> {
    return this.#store.look(null, (snapshot) => requestsPaid(snapshot, principal, most));
  }

  async settle(charge: Charge, release: string): Promise<string> {
    requireIssued(this, charge);
    const bytes = Buffer.from(release, "utf8");
    if (bytes.toString("utf8") !== release) {
      throw invalidParameter("the release", "a text with half a surrogate pair", "well-formed Unicode");
    }
    const at = requireTime(this.#clock);
    return this.#store.transact(charge, (snapshot) => decideSettle(snapshot, charge, release, bytes, at));
  }

  async fail(charge: Charge): Promise<void> {
    requireIssued(this, charge);
    const at = requireTime(this.#clock);
    await this.#store.transact(charge, (snapshot) => decideFail(snapshot, charge, at));
  }

  async share(request: ShareRequest): Promise<string> {
    requireShare(request);
    const { from, requestId } = request;
    const at = requireTime(this.#clock);
    return this.#store.transact({ principal: from, requestId }, (snapshot) =>
      decideShare(snapshot, request, at, (...asked) => this.#requirePolicy(...asked)),
    );
  }

  async remaining(
    principal: string,
    within: Pick<ReserveRequest, "project" | "dataSets"> = {},
  ): Promise<PrivacyLoss> {
    return this.#now(({ books }) => {
      const asker = askerOf({ principal, ...within });
      const refused = mayAsk(books, asker);
      if (refused && refused.why !== "closed") throw refusalOf(refused, asker);
      return leftFor(books, asker, principal);
    });
  }

  async balance(scope: ScopeName, viewer: string): Promise<ScopeBalance> {
    return this.#now(({ books }) => balanceOf(books, scope, viewer));
  }

  async charges(asked: ChargesAsked): Promise<ChargePage> {
    requireCharges(asked);
    return this.#store.look(null, (snapshot) => chargePage(snapshot, asked));
  }

  async charge(asked: ChargeAsked): Promise<ChargeReport | null> {
    return this.#store.look(asked, (snapshot) => chargeOf(snapshot, asked));
  }

  /**
   * Returns records as they are kept, newest first, for whoever checks the chain by themselves. Nothing of them is checked here. Errors: parameter.invalid.
   * @param before only records before this place; null for the newest
   */
  async records(before: number | null, most: number): Promise<RecordPage> {
    requireRecords(before, most);
    return this.#store.look(null, (snapshot) => recordPage(snapshot, before, most));
  }

  /** Replays the whole chain. Errors: ledger.corrupt when it does not hold. */
  async report(): Promise<BudgetReport> {
    return budgetReport(await this.#store.readAll(), requireTime(this.#clock));
  }

  async account(): Promise<AccountTotals> {
    return this.#now(({ books }) => {
      const lifetime = lifetimeOf(books.account);
      return { granted: grantedOf(lifetime), spent: lifetime.spent, left: accountLeft(lifetime) };
    });
  }

  /** Looks at the account at the present time, which ends windows that are over. */
  async #now<T>(look: (now: { readonly books: Books }) => T): Promise<T> {
    const at = requireTime(this.#clock);
    return this.#store.look(null, (snapshot) => look({ books: stateAt(snapshot, at).books }));
  }

  /** Raises caps, for the owner alone: see {@link Grant}. */
  async grant(added: Grant): Promise<void> {
    requireGrant(added);
    const at = requireTime(this.#clock);
    await this.#store.transact(null, (snapshot) => decideGrant(snapshot, added, at));
  }

  /** Lowers, closes, revokes or reopens a scope, for the owner alone: see {@link LimitChange}. */
  async limit(change: LimitChange): Promise<void> {
    requireLimit(change);
    const at = requireTime(this.#clock);
    await this.#store.transact(null, (snapshot) => decideLimit(snapshot, change, at));
  }

  /** Says what {@link apply} would do now, and what is spent. Errors: those of apply. */
  async propose(application: Application): Promise<BudgetProposal> {
    const at = requireTime(this.#clock);
    return this.#store.look(
      null,
      (snapshot) => decideApply(snapshot, application, { shown: null, at }).result,
    );
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
    return this.#store.transact(null, (snapshot) => decideApply(snapshot, application, { shown, at }));
  }

  /** Refuses a policy that is not the account's, or not the one that the ledger was opened with. Errors: policy.changed. */
  async requirePolicy(policy?: AccountPolicy): Promise<void> {
    const asked = policy && followed(policy);
    await this.#store.look(null, (snapshot) =>
      this.#requirePolicy(snapshot, readState(snapshot).books, asked),
    );
  }

  #requirePolicy(snapshot: Snapshot, { account }: Books, policy: FollowedPolicy | null = this.#policy): void {
    if (policy) requireFollowed(snapshot, account, policy);
  }

  /** Hash of the policy that the owner last agreed to: at init, or with a grant. */
  async policyHash(): Promise<string> {
    return this.#now(({ books }) => books.account.policyHash);
  }

  async sign(text: string): Promise<string> {
    return signText(this.#keys, text);
  }

  async close(): Promise<void> {
    await this.#store.close();
  }
}

function followed({ budget, policyHash }: AccountPolicy): FollowedPolicy {
  return followedPolicy(statedBudget(budget), policyHash);
}
