import type { PrivacyLossText } from "@lethe/core";
import type { ReserveRequest } from "../ledger.ts";
import type { LentBalance } from "./lent-balance.ts";

/** What is charged, with its loss as JSON. */
export type LentPrice = Omit<Pick<ReserveRequest, "loss" | "event">, "loss"> & {
  readonly loss: PrivacyLossText;
};

/** A request to reserve, as JSON. */
export type LentRequest = Omit<ReserveRequest, "loss" | "event" | "otherwise"> &
  LentPrice & { readonly otherwise?: LentPrice };

/** A charge, as JSON: on the side that borrowed the ledger it is made a proof of payment anew, and on the other it stands for the one that is kept there. */
export interface LentCharge {
  readonly requestId: string;
  readonly principal: string;
  readonly loss: PrivacyLossText;
  readonly sequence: number;
  readonly hash: string;
}

/** Each question that may be put to a ledger from another thread, and its answer: JSON alone, so that nothing sealed can be among them. */
export interface LedgerCalls {
  readonly reserve: {
    readonly ask: LentRequest;
    readonly reply:
      | { readonly kind: "charged"; readonly charge: LentCharge; readonly resumed: boolean }
      | { readonly kind: "settled"; readonly release: string };
  };
  readonly settled: {
    readonly ask: { readonly requestId: string; readonly principal: string };
    readonly reply: { readonly principal: string; readonly release: string } | null;
  };
  readonly askersOf: {
    readonly ask: { readonly requestId: string };
    readonly reply: readonly string[];
  };
  readonly requestsOf: {
    readonly ask: { readonly principal: string; readonly most: number };
    readonly reply: readonly string[];
  };
  readonly settle: {
    readonly ask: { readonly requestId: string; readonly release: string };
    readonly reply: string;
  };
  readonly fail: { readonly ask: { readonly requestId: string }; readonly reply: null };
  /** The account's, as the one whom it is lent to may see it. */
  readonly balance: { readonly ask: { readonly viewer: string }; readonly reply: LentBalance };
  readonly remaining: {
    readonly ask: {
      readonly principal: string;
      readonly within: Pick<ReserveRequest, "project" | "dataSets"> | null;
    };
    readonly reply: PrivacyLossText;
  };
  readonly sign: { readonly ask: { readonly text: string }; readonly reply: string };
}

/** One call of a lent ledger. */
export type LedgerCall = {
  readonly [Name in keyof LedgerCalls]: { readonly name: Name; readonly ask: LedgerCalls[Name]["ask"] };
}[keyof LedgerCalls];

/** Puts a call to the ledger's own side, and resolves with the reply. */
export type CallLedger = <Name extends keyof LedgerCalls>(
  name: Name,
  ask: LedgerCalls[Name]["ask"],
) => Promise<LedgerCalls[Name]["reply"]>;
