import type { StoredRecord } from "../store.ts";

/** A record with the names that it is looked up by. */
export interface NamedRecord {
  readonly record: StoredRecord;
  readonly request: string | null;
  readonly principal: string | null;
  /** Whom it charges. */
  readonly payer: string | null;
}

/** Returns a record with the names that its payload states. */
export function named(record: StoredRecord): NamedRecord {
  const payload: Readonly<Record<string, unknown>> = JSON.parse(record.payload);
  const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
  const payers: Readonly<Record<string, unknown>> = { reserve: payload.principal, share: payload.to };
  return {
    record,
    request: text(payload.requestId),
    principal: text(payload.principal),
    payer: text(payers[record.kind]),
  };
}
