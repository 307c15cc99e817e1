import type { Event, PrivacyLoss, Rational } from "@lethe/core";
import type { BudgetChange } from "./account/budget-changes.ts";
import type { ShareRequest } from "./decisions/share.ts";
import type { Period } from "./scopes/period.ts";
import type { ScopeName } from "./scopes/scope-name.ts";

declare const paid: unique symbol;

/** Proof of payment: made by {@link Ledger.reserve} alone, after the record is durable. A release needs one. */
export interface Charge {
  readonly [paid]: true;
  readonly requestId: string;
  readonly principal: string;
  readonly loss: PrivacyLoss;
  /** Place of the charge in the hash chain. */
  readonly sequence: number;
  /** Hash of the charge's record, hex. */
  readonly hash: string;
}

export interface ReserveRequest {
  /** The name of the one who asks. */
  readonly principal: string;
  /** The project that it is asked for; one that the policy states. */
  readonly project?: string | null;
  /** The data sets that are read: a cap of each covers the question. */
  readonly dataSets?: readonly string[];
  /** Chosen by the caller; asked again with the same hash it never pays twice. It is the principal's own: another's is another request. */
  readonly requestId: string;
  /** Hex sha256 of (principal, text, options). The same id with another hash is refused: ledger.request. */
  readonly requestHash: string;
  readonly loss: PrivacyLoss;
  readonly event: Event;
  /** The question's text, which `lethe budget` shows. */
  readonly text: string;
  /** The statements that the plan asks of the database: public, and not recorded. A release schedule gives the answer its time by them. */
  readonly statements?: number;
  /** The loss and event that are charged instead where `loss` does not fit: decided under the same lock, and for good. */
  readonly otherwise?: Pick<ReserveRequest, "loss" | "event">;
}

export type Reservation =
  /** Durable; run the plan. `resumed` when an earlier run of the same request paid and did not settle. */
  | {
      readonly kind: "charged";
      readonly charge: Charge;
      readonly resumed: boolean;
      /**
       * The latest time that the ledger has seen, in milliseconds since 1970, where the clock stands before it: then no window ends until the clock
       * is past that time, and the operator has to look. Left out where the clock is right.
       */
      readonly clockBehind?: number;
    }
  /** Answered before: the same bytes, at no new charge. */
  | { readonly kind: "settled"; readonly release: string };

export interface SettledRequest {
  readonly principal: string;
  /** The bytes that left. */
  readonly release: string;
}

/** One account: a data source's budget under one measure, with caps of the scopes in it. Every number exact. */
export interface Ledger {
  /** Errors: ledger.budget (which cap does not cover it, what would fit), ledger.request, ledger.principal, ledger.failures, policy.changed. */
  reserve(request: ReserveRequest): Promise<Reservation>;
  /** Returns the release of an earlier request of a principal; null where no such request of theirs was answered. */
  settled(requestId: string, principal: string): Promise<SettledRequest | null>;
  /**
   * Returns the place of the newest record, of this process or another. What was read from then on holds as long as it is the newest, but for what follows from the time: a window that is over has all
   * of its cap left.
   */
  head(): Promise<LedgerHead>;
  /** Returns who has a request of this id, for the owner alone: to anybody else it would say that there is one. */
  askersOf(requestId: string): Promise<readonly string[]>;
  /** Returns the ids of the requests that a principal paid for, newest first; no more than `most`. Some may be without an answer. */
  requestsOf(principal: string, most: number): Promise<readonly string[]>;
  /** Makes the release durable. Of two concurrent settlements the first wins and both get its bytes. */
  settle(charge: Charge, release: string): Promise<string>;
  /** Records that execution failed. No refund. */
  fail(charge: Charge): Promise<void>;
  /**
   * Serves an answer to another analyst too: the receiver's caps are charged once, the account no more. Returns the bytes that left, again and again.
   * Errors: ledger.request (no such answer), ledger.budget, ledger.principal, policy.changed.
   */
  share(request: ShareRequest): Promise<string>;
  /** Granted, spent, left; every charge. Replays the whole chain. */
  report(): Promise<BudgetReport>;
  /** The account's totals alone, from the checked balance, as the owner sees them. */
  account(): Promise<AccountTotals>;
  /** Returns caps and spending of a scope as a viewer may see them. Errors: ledger.principal for another analyst's scope. */
  balance(scope: ScopeName, viewer: string): Promise<ScopeBalance>;
  /** Returns the newest charges, from indexed rows. Errors: ledger.principal where a viewer asks for another's. */
  charges(asked: ChargesAsked): Promise<ChargePage>;
  /** Returns the charge of a request, or what a receiver of its answer was charged; null where there is none. Whoever calls it has decided who may know. */
  charge(asked: ChargeAsked): Promise<ChargeReport | null>;
  /**
   * Returns the loss that is left for a principal as far as that principal may know, for a planner that must say what would fit. Errors:
   * ledger.principal.
   */
  remaining(principal: string, within?: Pick<ReserveRequest, "project" | "dataSets">): Promise<PrivacyLoss>;
  /** Hex Ed25519 signature of the UTF-8 text, by the ledger's key. */
  sign(text: string): Promise<string>;
  /** SPKI PEM. */
  readonly publicKey: string;
  close(): Promise<void>;
}

/** A place in the chain. */
export interface LedgerHead {
  readonly sequence: number;
  /** Hex. */
  readonly hash: string;
}

export interface AccountTotals {
  /** null: the account has no cap over its lifetime, so that what it promises has no bound over time. */
  readonly granted: PrivacyLoss | null;
  readonly spent: PrivacyLoss;
  readonly left: PrivacyLoss | null;
}

/** Caps and spending of a scope over one period. */
export interface PeriodBalance {
  readonly per: Period;
  /** First moment of the period, milliseconds since 1970; 0 for ever. */
  readonly since: number;
  /** Numbers that are null are not limited here; null as a whole: none is. */
  readonly cap: { readonly main: Rational | null; readonly delta: Rational | null } | null;
  /** null where the viewer may not see it. */
  readonly spent: PrivacyLoss | null;
  /** The part of the account that nobody else can take over this period; null for none. */
  readonly reserved: { readonly main: Rational | null; readonly delta: Rational | null } | null;
}

export interface ScopeBalance {
  readonly scope: ScopeName;
  readonly measure: PrivacyLoss["measure"];
  /** The lifetime first, then windows. */
  readonly periods: readonly PeriodBalance[];
  /** Whether the policy states it. The account always is. */
  readonly listed: boolean;
  /** Nothing more is charged to it. */
  readonly closed: boolean;
}

/** Which charges are asked for: a page of them. */
export interface ChargesAsked {
  readonly viewer: string;
  /** Whose charges; null for everybody's, which the owner alone may see. */
  readonly principal: string | null;
  /** Only charges before this place of the chain; null for the newest. */
  readonly before: number | null;
  readonly most: number;
}

/** Which charge is asked for. */
export interface ChargeAsked {
  readonly requestId: string;
  /** Whose request it is. */
  readonly principal: string;
  /** Who received its answer, for what that one was charged; left out for the charge of the request itself. */
  readonly receiver?: string;
}

export interface ChargePage {
  /** Newest first. */
  readonly charges: readonly ChargeReport[];
  /** What to give as `before` for the next page; null at the end. */
  readonly before: number | null;
}

export interface BudgetReport extends AccountTotals {
  readonly measure: PrivacyLoss["measure"];
  /** Those who are listed, by name; their ε or ρ over the lifetime, which is null where their share does not limit it. */
  readonly analysts: readonly {
    readonly name: string;
    readonly granted: Rational | null;
    readonly spent: Rational;
  }[];
  /** Every scope that the policy states, or that the owner closed, and the account first. */
  readonly scopes: readonly ScopeBalance[];
  /** Nothing more is charged. */
  readonly closed: boolean;
  readonly charges: readonly ChargeReport[];
  /** Every change of the budget since the ledger was made, oldest first. */
  readonly budgets: readonly BudgetRecord[];
  readonly head: LedgerHead;
  /** The latest time that the chain has seen, milliseconds since 1970, where the clock stands before it; null where the clock is right. */
  readonly clockBehind: number | null;
}

export interface BudgetRecord {
  readonly sequence: number;
  /** Milliseconds since 1970, from the clock the app passed in. */
  readonly at: number;
  /** Added on top of the policy's budget, the policy's budget itself, or a scope that was lowered, closed or opened. */
  readonly kind: "grant" | "apply" | "limit";
  readonly reason: string;
  readonly changes: readonly BudgetChange[];
}

export interface ChargeReport {
  readonly sequence: number;
  /** Milliseconds since 1970, from the clock the app passed in. */
  readonly at: number;
  /** Who was charged. */
  readonly principal: string;
  readonly project: string | null;
  /** Of an answer that was received: whose request it answered, so that the account was not charged again. */
  readonly sharedBy: string | null;
  readonly requestId: string;
  readonly text: string;
  readonly loss: PrivacyLoss;
  readonly state: "reserved" | "settled" | "failed";
}
