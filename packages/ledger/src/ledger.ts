import type { Event, PrivacyLoss, Rational } from "@lethe/core";
import type { BudgetChange } from "./account/budget-changes.ts";

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
  /** Chosen by the caller; asked again with the same hash it never pays twice. */
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
  | { readonly kind: "charged"; readonly charge: Charge; readonly resumed: boolean }
  /** Answered before: the same bytes, at no new charge. */
  | { readonly kind: "settled"; readonly release: string };

export interface SettledRequest {
  readonly principal: string;
  /** The bytes that left. */
  readonly release: string;
}

/** One account: a data source's budget under one measure, with analysts' sub-caps. Every number exact. */
export interface Ledger {
  /** Errors: ledger.budget (what is left, what would fit), ledger.request, ledger.principal, ledger.failures, policy.changed. */
  reserve(request: ReserveRequest): Promise<Reservation>;
  /** Returns the release of an earlier request, and its principal; null where no such request was answered. */
  settled(requestId: string): Promise<SettledRequest | null>;
  /** Returns the ids of the requests that a principal paid for, newest first; no more than `most`. Some may be without an answer. */
  requestsOf(principal: string, most: number): Promise<readonly string[]>;
  /** Makes the release durable. Of two concurrent settlements the first wins and both get its bytes. */
  settle(charge: Charge, release: string): Promise<string>;
  /** Records that execution failed. No refund. */
  fail(charge: Charge): Promise<void>;
  /** Granted, spent, left; every charge. Replays the whole chain. */
  report(): Promise<BudgetReport>;
  /** The account's totals alone, from the checked balance. */
  account(): Promise<AccountTotals>;
  /** Returns the loss that is left for a principal, for a planner that must say what would fit. Errors: ledger.principal. */
  remaining(principal: string): Promise<PrivacyLoss>;
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
  readonly granted: PrivacyLoss;
  readonly spent: PrivacyLoss;
  readonly left: PrivacyLoss;
}

export interface BudgetReport extends AccountTotals {
  readonly measure: PrivacyLoss["measure"];
  readonly analysts: readonly {
    readonly name: string;
    readonly granted: Rational;
    readonly spent: Rational;
  }[];
  /** Nothing more is charged. */
  readonly closed: boolean;
  readonly charges: readonly ChargeReport[];
  /** Every change of the budget since the ledger was made, oldest first. */
  readonly budgets: readonly BudgetRecord[];
  readonly head: LedgerHead;
}

export interface BudgetRecord {
  readonly sequence: number;
  /** Milliseconds since 1970, from the clock the app passed in. */
  readonly at: number;
  /** Added on top of the policy's budget, or the policy's budget itself. */
  readonly kind: "grant" | "apply";
  readonly reason: string;
  readonly changes: readonly BudgetChange[];
}

export interface ChargeReport {
  readonly sequence: number;
  /** Milliseconds since 1970, from the clock the app passed in. */
  readonly at: number;
  readonly principal: string;
  readonly requestId: string;
  readonly text: string;
  readonly loss: PrivacyLoss;
  readonly state: "reserved" | "settled" | "failed";
}
