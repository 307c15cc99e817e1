import type { Event, PrivacyLossText, PrivacyMeasure } from "@lethe/core";

/** Caps as the chain holds them: exact texts, analysts sorted by name. */
export interface GrantedText {
  readonly cap: PrivacyLossText;
  /** Sub-caps in the account's ε or ρ. */
  readonly analysts: readonly { readonly name: string; readonly cap: string }[];
  readonly failureCap: number;
  readonly policyHash: string;
}

/** The budget that a policy states, exactly: the account's cap, who may ask at which share, and whether it is closed. */
export interface StatedBudget extends Pick<GrantedText, "cap" | "analysts"> {
  readonly closed: boolean;
}

export interface GenesisPayload extends GrantedText {
  readonly version: 1;
  readonly measure: PrivacyMeasure;
  /** SPKI PEM. */
  readonly publicKey: string;
  /** Name of the data source. */
  readonly source: string;
}
/** Caps after the grant; none lower than before. */
export interface GrantPayload extends GrantedText {
  readonly reason: string;
}
/** The policy's budget, which the account has from here on: raised, or lowered to no less than what is spent. */
export interface ApplyPayload extends GrantedText, StatedBudget {
  /** Analysts who go on under another name, with what they have spent; sorted by `from`. */
  readonly renamed: readonly Renaming[];
  readonly reason: string;
}
export interface Renaming {
  readonly from: string;
  readonly to: string;
}
export interface ReservePayload {
  readonly requestId: string;
  readonly requestHash: string;
  readonly principal: string;
  readonly loss: PrivacyLossText;
  readonly event: Event;
  readonly text: string;
}
export interface SettlePayload {
  readonly requestId: string;
  /** The hash of the release bytes, hex. */
  readonly sha256: string;
}
export interface FailPayload {
  readonly requestId: string;
}

/** The happening that a record states. */
export type Entry =
  | { readonly kind: "genesis"; readonly payload: GenesisPayload }
  | { readonly kind: "reserve"; readonly payload: ReservePayload }
  | { readonly kind: "settle"; readonly payload: SettlePayload }
  | { readonly kind: "fail"; readonly payload: FailPayload }
  | { readonly kind: "grant"; readonly payload: GrantPayload }
  | { readonly kind: "apply"; readonly payload: ApplyPayload };

type PayloadOf<K extends Entry["kind"]> = Extract<Entry, { kind: K }>["payload"];
type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const hash: Check = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const object: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const list: Check = (value) => Array.isArray(value);
const flag: Check = (value) => typeof value === "boolean";

const granted = { cap: object, analysts: list, failureCap: count, policyHash: text } as const;

/** Every field of every kind: a field too many or too few is as wrong as one of another type. */
const shapes: {
  readonly [K in Entry["kind"]]: Readonly<Record<keyof PayloadOf<K>, Check>>;
} = {
  genesis: {
    ...granted,
    version: (value) => value === 1,
    measure: (value) => value === "pure" || value === "approximate" || value === "zcdp",
    publicKey: text,
    source: text,
  },
  reserve: {
    requestId: text,
    requestHash: hash,
    principal: text,
    loss: object,
    event: object,
    text,
  },
  settle: { requestId: text, sha256: hash },
  fail: { requestId: text },
  grant: { ...granted, reason: text },
  apply: { ...granted, closed: flag, renamed: list, reason: text },
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
