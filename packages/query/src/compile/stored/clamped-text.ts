import type { ValueWriter } from "../../sql/value-writer.ts";

/** A value clamped to lo … hi; NULL stays NULL. */
export function clampedText(value: string, lo: string, hi: string, write: ValueWriter): string {
  return write.caseOf(
    [
      [write.compare(value, ">", hi), hi],
      [write.compare(value, "<", lo), lo],
    ],
    value,
  );
}
