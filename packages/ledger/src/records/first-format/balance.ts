import {
  lossFromJson,
  lossToJson,
  type PrivacyLoss,
  type PrivacyLossText,
  type PrivacyMeasure,
  parseRational,
  type Rational,
  toText,
} from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import type { StatedBudget } from "./entry.ts";

/** The part of the account's ε or ρ that one analyst may spend, and the part that is spent. */
export interface SubAccount {
  readonly granted: Rational;
  readonly spent: Rational;
}

/** The state of an account after a record. Derived from the chain alone; every record holds the hash of its text. */
export interface Balance {
  readonly measure: PrivacyMeasure;
  readonly granted: PrivacyLoss;
  readonly spent: PrivacyLoss;
  readonly analysts: ReadonlyMap<string, SubAccount>;
  /** Failed executions. */
  readonly failures: number;
  /** Requests that paid and neither settled nor failed: in flight, or cut off by a crash. */
  readonly open: number;
  /** No new execution begins while failures + open have reached this. */
  readonly failureCap: number;
  /** Hash of the policy that the owner last agreed to. */
  readonly policyHash: string;
  /** The budget of the policy that was applied last; null where none was since the ledger was made. */
  readonly stated: StatedBudget | null;
}

interface BalanceJson extends Pick<Balance, "measure" | "failures" | "open" | "failureCap" | "policyHash"> {
  /** Left out where it is null, so that ledgers from before there was one keep their hashes. */
  readonly stated?: StatedBudget;
  readonly granted: PrivacyLossText;
  readonly spent: PrivacyLossText;
  readonly analysts: readonly { readonly name: string; readonly granted: string; readonly spent: string }[];
}

/** Canonical: two balances are equal exactly when their texts are. */
export function balanceText(balance: Balance): string {
  const { measure, failures, open, failureCap, policyHash, stated } = balance;
  const json: BalanceJson = {
    measure,
    failures,
    open,
    failureCap,
    policyHash,
    ...(stated === null ? {} : { stated }),
    granted: lossToJson(balance.granted),
    spent: lossToJson(balance.spent),
    analysts: [...balance.analysts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { granted, spent }]) => ({ name, granted: toText(granted), spent: toText(spent) })),
  };
  return canonicalJson(json);
}

/** Reads what {@link balanceText} wrote; the caller has checked the text's hash. */
export function readBalance(text: string): Balance {
  const json: BalanceJson = JSON.parse(text);
  return {
    ...json,
    stated: json.stated ?? null,
    granted: lossFromJson(json.granted),
    spent: lossFromJson(json.spent),
    analysts: new Map(
      json.analysts.map(({ name, granted, spent }) => [
        name,
        { granted: parseRational(granted), spent: parseRational(spent) },
      ]),
    ),
  };
}

/** The principal that exists on every account, whoever else is listed; under no sub-cap unless one is stated. */
export const owner = "owner";

/** Whether a principal may ask. If analysts are listed, only they and the owner may; if none are, everybody may, within the account's cap. */
export function mayAsk(balance: Balance, principal: string): boolean {
  return principal === owner || balance.analysts.size === 0 || balance.analysts.has(principal);
}
