import { LetheError } from "@lethe/core";
import { type BudgetTerms, termsOf } from "../account/budget-changes.ts";
import { type Account, accountText } from "../scopes/account.ts";
import type { Books, Posting } from "../scopes/books.ts";
import { type Scope, scopeText } from "../scopes/scope.ts";
import { type ScopeName, scopeKey } from "../scopes/scope-name.ts";
import type { Contents, StoredRecord } from "../stores/store.ts";
import { emptyRoot, writeKeys } from "../tree/hash-tree.ts";
import { advance } from "./advance.ts";
import { corrupt } from "./corrupt.ts";
import type { Entry, ReservePayload, SharePayload } from "./entry.ts";
import { balanceText } from "./first-format/balance.ts";
import { FirstPart } from "./first-format/first-part.ts";
import { upgraded } from "./first-format/upgraded.ts";
import { type RequestHistory, remember, untouched } from "./history.ts";
import { beginsFirstFormat, readFirstRecord, readRecord, readRequestRecord } from "./record.ts";
import { noRecord, sha256 } from "./record-hash.ts";

/** One charge with what became of it. */
export interface ReplayedCharge {
  readonly record: StoredRecord;
  readonly payload: ReservePayload;
  readonly history: RequestHistory;
}

/** One answer that was served to another analyst too. */
export interface ReplayedShare {
  readonly record: StoredRecord;
  readonly payload: SharePayload;
  /** The charge that was answered. */
  readonly paid: ReservePayload;
}

/** One change of the budget. */
export interface ReplayedBudget {
  readonly record: StoredRecord;
  readonly kind: "grant" | "apply" | "limit";
  readonly reason: string;
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  readonly before: BudgetState;
  readonly after: BudgetState;
}

/** What a change of the budget can change. */
export interface BudgetState {
  readonly terms: BudgetTerms;
  readonly failureCap: number;
  /** Further failures granted to one principal. */
  readonly moreFailures: number;
  readonly policyHash: string;
}

/** The chain, told from its beginning as far as it holds. */
export interface Replay {
  readonly genesis: { readonly source: string; readonly publicKey: string } | null;
  readonly account: Account | null;
  /** By their keys. */
  readonly scopes: ReadonlyMap<string, Scope>;
  readonly head: StoredRecord | null;
  /** In the order in which they were paid. */
  readonly charges: readonly ReplayedCharge[];
  readonly shares: readonly ReplayedShare[];
  /** Every change of the budget since the ledger was made, oldest first. */
  readonly budgets: readonly ReplayedBudget[];
  /** Whether the last record is of the first format, so that the ledger is to be upgraded. */
  readonly isFirst: boolean;
  /** The first thing that does not hold, or null when everything does. */
  readonly problem: { readonly sequence: number | null; readonly reason: string } | null;
}

/**
 * Recomputes everything from the records: hashes, sequence, sums, caps at every prefix, one charge and one answer a
 * request, the release bytes' hashes, and the balance and the scopes that were kept beside them. Never throws for bad contents.
 */
export function replay(contents: Contents): Replay {
  const run = new Run(contents);
  try {
    run.all();
    return run.told(null);
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    return run.told({ sequence: run.place, reason: String(error.fields.reason ?? error.message) });
  }
}

class Run {
  /** The record that is looked at; null before and after all. */
  place: number | null = null;
  readonly #contents: Contents;
  readonly #histories = new Map<string, RequestHistory>();
  readonly #charges: { record: StoredRecord; payload: ReservePayload }[] = [];
  readonly #shares: ReplayedShare[] = [];
  readonly #budgets: ReplayedBudget[] = [];
  readonly #settled = new Set<number>();
  readonly #scopes = new Map<string, Scope>();
  readonly #nodes = new Map<string, string>();
  #root = emptyRoot;
  #account: Account | null = null;
  #first: FirstPart | null = null;
  #firstBalance: string | null = null;
  #genesis: Replay["genesis"] = null;
  #head: StoredRecord | null = null;

  constructor(contents: Contents) {
    this.#contents = contents;
  }

  all(): void {
    for (const record of this.#contents.records) {
      this.place = this.#head ? this.#head.sequence + 1 : 0;
      if (record.sequence !== this.place) throw corrupt("it is missing, or another stands in its place");
      if (record.previous !== (this.#head ? this.#head.hash : noRecord))
        throw corrupt("it does not follow the one before");
      if (this.#isOfFirst(record)) this.#takeFirst(record);
      else this.#take(record);
      this.#head = record;
    }
    this.place = null;
    this.#checkBeside();
  }

  told(problem: Replay["problem"]): Replay {
    return {
      genesis: this.#genesis,
      account: this.#account,
      scopes: this.#scopes,
      head: this.#head,
      charges: this.#charges.map((charge) => ({ ...charge, history: this.#historyOf(charge.payload) })),
      shares: this.#shares,
      budgets: this.#budgets,
      isFirst: this.#first !== null,
      problem,
    };
  }

  /** A chain of the first format goes on in it until its upgrade; a chain of today's never goes back. */
  #isOfFirst(record: StoredRecord): boolean {
    if (this.#head) return this.#first !== null && record.kind !== "upgrade";
    return beginsFirstFormat(record);
  }

  #takeFirst(record: StoredRecord): void {
    this.#first ??= new FirstPart();
    const entry = readFirstRecord(record);
    const changes = entry.kind === "grant" || entry.kind === "apply";
    if (changes) this.#asOfToday(this.#first, record.at);
    const before = changes ? this.#budgetState() : null;
    const after = this.#first.take(entry, record);
    if (entry.kind === "genesis") this.#genesis = entry.payload;
    if (changes || entry.kind === "genesis") this.#asOfToday(this.#first, record.at);
    if (changes) this.#changed(record, entry.kind, entry.payload, before);
    this.#firstBalance = balanceText(after);
    const request = "requestId" in entry.payload ? entry.payload.requestId : null;
    if (request === null) return;
    const paid = this.#first.histories.get(request)?.reserve?.principal ?? "";
    this.#rememberRequest(record, readRequestRecord(record, paid));
  }

  /** Takes a balance of the first format as one of today, for what is told of it: no charge is decided by it. */
  #asOfToday(first: FirstPart, at: number): void {
    const { account, scopes } = upgraded(first.ledger(), at);
    this.#account = account;
    this.#scopes.clear();
    for (const scope of scopes) this.#scopes.set(scopeKey(scope.name), scope);
  }

  #take(record: StoredRecord): void {
    const entry = readRecord(record);
    const posting = this.#posting(entry, record);
    if (entry.kind === "genesis") this.#genesis = entry.payload;
    const earlier =
      entry.kind === "grant" || entry.kind === "apply" || entry.kind === "limit" ? this.#budgetState() : null;
    const { root, nodes } = writeKeys(
      { root: this.#root, node: (path) => this.#nodes.get(path) ?? null },
      new Map(posting.scopes.map((scope) => [scopeKey(scope.name), scopeText(scope)])),
    );
    for (const [path, node] of nodes) this.#nodes.set(path, node);
    this.#root = root;
    this.#account = posting.account;
    for (const scope of posting.scopes) this.#scopes.set(scopeKey(scope.name), scope);
    if (sha256(accountText(posting.account, root)) !== record.balance)
      throw corrupt("the balance after it is another");
    if (entry.kind === "grant" || entry.kind === "apply" || entry.kind === "limit")
      this.#changed(record, entry.kind, entry.payload, earlier);
    this.#rememberRequest(record, entry);
  }

  #posting(entry: Entry, record: StoredRecord): Posting {
    if (entry.kind === "upgrade" && this.#first) {
      const ledger = this.#first.ledger();
      this.#first = null;
      this.#firstBalance = null;
      this.#scopes.clear();
      return upgraded(ledger, record.at);
    }
    const books = this.#account && this.#books(this.#account);
    return advance(books, entry, this.#historyOf(entry.payload), record);
  }

  #books(account: Account): Books {
    return {
      account,
      scope: (name: ScopeName) => this.#scopes.get(scopeKey(name)) ?? null,
      all: () => this.#scopes.values(),
    };
  }

  #historyOf(payload: Entry["payload"]): RequestHistory {
    return ("requestId" in payload && this.#histories.get(requestKey(payload))) || untouched;
  }

  #rememberRequest(record: StoredRecord, entry: Entry): void {
    if (!("requestId" in entry.payload)) return;
    const history = this.#historyOf(entry.payload);
    if (entry.kind === "reserve") this.#charges.push({ record, payload: entry.payload });
    if (entry.kind === "share" && history.reserve)
      this.#shares.push({ record, payload: entry.payload, paid: history.reserve });
    this.#histories.set(requestKey(entry.payload), remember(history, entry));
    if (entry.kind !== "settle") return;
    this.#settled.add(record.sequence);
    if (this.#contents.releases.get(record.sequence) !== entry.payload.sha256)
      throw corrupt("the stored release is not the one that was recorded");
  }

  #budgetState(): BudgetState | null {
    if (!this.#account) return null;
    let moreFailures = 0;
    for (const scope of this.#scopes.values()) moreFailures += scope.moreFailures;
    const { failureCap, policyHash } = this.#account;
    return { terms: termsOf(this.#account, this.#scopes.values()), failureCap, moreFailures, policyHash };
  }

  #changed(
    record: StoredRecord,
    kind: ReplayedBudget["kind"],
    payload: { readonly reason: string; readonly renamed?: ReplayedBudget["renamed"] },
    before: BudgetState | null,
  ): void {
    const after = this.#budgetState();
    if (!before || !after) return;
    const { reason, renamed = [] } = payload;
    this.#budgets.push({ record, kind, reason, renamed, before, after });
  }

  #checkBeside(): void {
    if (this.#first && this.#head) this.#asOfToday(this.#first, this.#head.at);
    if (!this.#head || !this.#account) throw corrupt("it is empty");
    const { balance, nodes, releases } = this.#contents;
    if (balance !== (this.#firstBalance ?? accountText(this.#account, this.#root)))
      throw corrupt("the balance kept beside the records is not the one they lead to");
    const same =
      nodes.size === this.#nodes.size && [...nodes].every(([path, node]) => this.#nodes.get(path) === node);
    if (!same) throw corrupt("the scopes kept beside the records are not those that they lead to");
    for (const sequence of releases.keys()) {
      if (!this.#settled.has(sequence))
        throw corrupt(`a release belongs to record ${sequence}, which settles nothing`);
    }
  }
}

function requestKey({
  principal,
  requestId,
}: {
  readonly principal: string;
  readonly requestId: string;
}): string {
  return JSON.stringify([principal, requestId]);
}
