import type { StoredRecord } from "../stores/store.ts";
import type { Entry } from "./entry.ts";

/** The most records that are kept: those that held last. */
const most = 500;

const held = new Map<string, { readonly record: StoredRecord; readonly entry: Entry }>();

/** Returns the entry of a record that was read before, and whose every field is what it was then; null where it is to be read and checked. */
export function heldEntry(record: StoredRecord): Entry | null {
  const known = held.get(record.hash);
  return known && isSameRecord(known.record, record) ? known.entry : null;
}

/** Keeps the entry of a record that held. */
export function keepHeld(record: StoredRecord, entry: Entry): void {
  held.set(record.hash, { record, entry });
  const [oldest] = held.keys();
  if (held.size > most && oldest !== undefined) held.delete(oldest);
}

/** Whether two records are the same, field by field. */
export function isSameRecord(one: StoredRecord, other: StoredRecord): boolean {
  return (
    one.hash === other.hash &&
    one.sequence === other.sequence &&
    one.at === other.at &&
    one.kind === other.kind &&
    one.payload === other.payload &&
    one.balance === other.balance &&
    one.previous === other.previous
  );
}
