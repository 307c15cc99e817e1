import type { Event, PrivacyLossText } from "@lethe/core";
import type { StatedBudget } from "../account/stated-budget.ts";
import { isLimitText, type LimitText } from "../scopes/limit.ts";
import { isScopeName, type ScopeName } from "../scopes/scope-name.ts";

export interface GenesisPayload {
  readonly version: 2;
  readonly budget: StatedBudget;
  readonly failureCap: number;
  readonly failureCapEach: number;
  readonly policyHash: string;
  /** SPKI PEM. */
  readonly publicKey: string;
  /** Name of the data source. */
  readonly source: string;
}
/** From here on the account is kept by scopes; what was spent in the first format stays spent. */
export interface UpgradePayload {
  readonly version: 2;
}
/** An addition of the owner to what a scope may spend, or to what may fail. */
export interface GrantPayload {
  readonly scope: ScopeName;
  /** Added to the cap over the lifetime; null for nothing. */
  readonly add: LimitText;
  readonly failures: number;
  readonly policyHash: string;
  readonly reason: string;
}
/** A scope's cap lowered, a scope closed for good or an analyst revoked, or either taken back. */
export interface LimitPayload {
  readonly scope: ScopeName;
  readonly what: "lower" | "close" | "revoke" | "reopen";
  /** The cap over the lifetime from here on, where it is lowered. */
  readonly cap: LimitText | null;
  readonly reason: string;
}
/** The policy's budget, which the account has from here on: raised, or lowered to no less than what is spent. */
export interface ApplyPayload {
  readonly budget: StatedBudget;
  /** Analysts who go on under another name, with what they have spent; sorted by `from`. */
  readonly renamed: readonly Renaming[];
  readonly reason: string;
}
export interface Renaming {
  readonly from: string;
  readonly to: string;
}
/** A request belongs to its principal: the same id of another principal is another request. */
export interface RequestName {
  readonly principal: string;
  readonly requestId: string;
}
export interface ReservePayload extends RequestName {
  readonly requestHash: string;
  readonly project: string | null;
  readonly dataSets: readonly string[];
  readonly loss: PrivacyLossText;
  readonly event: Event;
  readonly text: string;
}
export interface SettlePayload extends RequestName {
  /** The hash of the release bytes, hex. */
  readonly sha256: string;
}
export type FailPayload = RequestName;
/** The answer to a request of `principal`, served to another analyst too. */
export interface SharePayload extends RequestName {
  readonly to: string;
  /** The project that the receiver works in. */
  readonly project: string | null;
  readonly loss: PrivacyLossText;
}

/** The happening that a record states. */
export type Entry =
  | { readonly kind: "genesis"; readonly payload: GenesisPayload }
  | { readonly kind: "upgrade"; readonly payload: UpgradePayload }
  | { readonly kind: "reserve"; readonly payload: ReservePayload }
  | { readonly kind: "settle"; readonly payload: SettlePayload }
  | { readonly kind: "fail"; readonly payload: FailPayload }
  | { readonly kind: "share"; readonly payload: SharePayload }
  | { readonly kind: "grant"; readonly payload: GrantPayload }
  | { readonly kind: "limit"; readonly payload: LimitPayload }
  | { readonly kind: "apply"; readonly payload: ApplyPayload };

type PayloadOf<K extends Entry["kind"]> = Extract<Entry, { kind: K }>["payload"];
type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const textOrNull: Check = (value) => value === null || text(value);
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const hash: Check = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const object: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const list: Check = (value) => Array.isArray(value);
const limitOrNull: Check = (value) => value === null || isLimitText(value);
const changes = ["lower", "close", "revoke", "reopen"];

/** Every field of every kind: a field too many or too few is as wrong as one of another type. */
const shapes: {
  readonly [K in Entry["kind"]]: Readonly<Record<keyof PayloadOf<K>, Check>>;
} = {
  genesis: {
    version: (value) => value === 2,
    budget: object,
    failureCap: count,
    failureCapEach: count,
    policyHash: text,
    publicKey: text,
    source: text,
  },
  upgrade: { version: (value) => value === 2 },
  reserve: {
    requestId: text,
    requestHash: hash,
    principal: text,
    project: textOrNull,
    dataSets: texts,
    loss: object,
    event: object,
    text,
  },
  settle: { principal: text, requestId: text, sha256: hash },
  fail: { principal: text, requestId: text },
  share: { principal: text, requestId: text, to: text, project: textOrNull, loss: object },
  grant: { scope: isScopeName, add: isLimitText, failures: count, policyHash: text, reason: text },
  limit: {
    scope: isScopeName,
    what: (value) => changes.includes(String(value)),
    cap: limitOrNull,
    reason: text,
  },
  apply: { budget: object, renamed: list, reason: text },
};

function isKind(kind: string): kind is Entry["kind"] {
  return Object.hasOwn(shapes, kind);
}

/** The entry that a kind and a parsed payload state, or null when they state none. */
export function entryOf(kind: string, payload: unknown): Entry | null {
  if (!isKind(kind) || typeof payload !== "object" || payload === null) return null;
  const shape: Readonly<Record<string, Check>> = shapes[kind];
  const fields = Object.entries(payload);
  const whole = fields.length === Object.keys(shape).length;
  return whole && fields.every(([name, value]) => Object.hasOwn(shape, name) && shape[name]?.(value) === true)
    ? ({ kind, payload } as Entry)
    : null;
}
