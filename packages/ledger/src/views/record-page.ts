import { invalidParameter } from "@lethe/core";
import type { Snapshot, StoredRecord } from "../stores/store.ts";
import { mostCharges } from "./charge-page.ts";

/** Records of the chain as they are kept. */
export interface RecordPage {
  /** Newest first. */
  readonly records: readonly StoredRecord[];
  /** What to give as `before` for the next page; null at the beginning of the chain. */
  readonly before: number | null;
}

/** Errors: parameter.invalid. */
export function requireRecords(before: number | null, most: number): void {
  if (!(Number.isSafeInteger(most) && most >= 1 && most <= mostCharges))
    throw invalidParameter("the most records", most, `a whole number from 1 to ${mostCharges}`);
  if (before !== null && !(Number.isSafeInteger(before) && before >= 0))
    throw invalidParameter("the place before", before, "a whole number ≥ 0");
}

/** Returns a page of records. */
export function recordPage({ head, record }: Snapshot, before: number | null, most: number): RecordPage {
  const end = Math.min(before ?? Number.MAX_SAFE_INTEGER, head ? head.sequence + 1 : 0);
  const first = Math.max(0, end - most);
  const records = Array.from({ length: end - first }, (_, at) => record(end - 1 - at)).filter(
    (each) => each !== null,
  );
  return { records, before: first > 0 ? first : null };
}
