import {
  lossFromJson,
  lossToJson,
  type PrivacyLoss,
  type PrivacyLossText,
  type PrivacyMeasure,
} from "@lethe/core";
import { composeLosses, zeroLoss } from "@lethe/core/accounting";
import { canonicalJson } from "@lethe/core/canonical";
import { covers } from "./limit.ts";
import { type Meter, type MeterText, meterText, readMeter, rolled } from "./meter.ts";

/** A meter of the account: what its scopes reserved of it counts against it until they spend it. */
export interface AccountMeter extends Meter {
  /** The sum of what scopes reserved over this period. */
  readonly promised: PrivacyLoss;
  /** The part of it that they have not spent yet. */
  readonly held: PrivacyLoss;
}

/** The state of an account after a record, without its scopes. Derived from the chain alone. */
export interface Account {
  readonly measure: PrivacyMeasure;
  /** The lifetime's meter first, whose limit is null where the owner wrote `lifetime: none`; then windows. */
  readonly meters: readonly AccountMeter[];
  /** The policy closed it. */
  readonly closed: boolean;
  /** The owner closed it on record. */
  readonly shut: boolean;
  /** Whether analysts may see what the account has spent. */
  readonly showAccount: boolean;
  /** Failed executions. */
  readonly failures: number;
  /** Requests that paid and neither settled nor failed: in flight, or cut off by a crash. */
  readonly open: number;
  /** No new execution begins while failures + open have reached this. */
  readonly failureCap: number;
  /** The same for each principal. */
  readonly failureCapEach: number;
  /** Hash of the policy that the owner last agreed to. */
  readonly policyHash: string;
  /** The place of the record that states the budget, and the hash of what it states. */
  readonly stated: { readonly sequence: number; readonly hash: string };
  /** Whether the policy lists analysts, so that nobody else may ask but the owner. */
  readonly listsAnalysts: boolean;
  /** The latest time that the chain has seen, milliseconds since 1970. Windows follow it, never a clock that was set back. */
  readonly seen: number;
}

/** Returns the account at a time: never earlier than it has seen. */
export function seenAt(account: Account, at: number): Account {
  return { ...account, seen: Math.max(account.seen, at) };
}

interface AccountMeterText extends MeterText {
  readonly promised: PrivacyLossText;
  readonly held: PrivacyLossText;
}

/** Canonical: the account, and the root of the tree of its scopes. Every record holds the hash of this text. */
export function accountText(account: Account, root: string): string {
  const meters = account.meters.map(
    (meter): AccountMeterText => ({
      ...meterText(meter),
      promised: lossToJson(meter.promised),
      held: lossToJson(meter.held),
    }),
  );
  return canonicalJson({ ...account, meters, root });
}

/** Reads what {@link accountText} wrote; the caller has checked the text's hash. */
export function readAccount(text: string): { readonly account: Account; readonly root: string } {
  const {
    root,
    ...json
  }: Omit<Account, "meters"> & {
    readonly meters: readonly AccountMeterText[];
    readonly root: string;
  } = JSON.parse(text);
  const meters = json.meters.map((meter) => ({
    ...readMeter(meter),
    promised: lossFromJson(meter.promised),
    held: lossFromJson(meter.held),
  }));
  return { account: { ...json, meters }, root };
}

/** Returns a meter of the account on which nothing is reserved. */
export function accountMeter(meter: Meter): AccountMeter {
  const none = zeroLoss(meter.spent.measure);
  return { ...meter, promised: none, held: none };
}

/** Returns a meter at a time: in a new window all that is reserved is held again. */
export function rolledAccount(meter: AccountMeter, now: number): AccountMeter {
  const later = rolled(meter, now);
  return later === meter ? meter : { ...later, held: meter.promised };
}

/** Whether the account's cap covers what is on a meter, and what others reserved beside it. */
export function isAccountCovered({ limit, spent, held }: AccountMeter): boolean {
  return limit === null || covers(limit, composeLosses(spent.measure, [spent, held]));
}

/** Returns the meter over the account's lifetime. */
export function lifetimeOf({ meters }: Pick<Account, "meters">): AccountMeter {
  return meters[0] as AccountMeter;
}
