import { LetheError } from "@lethe/core";
import { canonicalJson, sha256 } from "@lethe/core/canonical";
import type { AuditRecord } from "./audit-fact.ts";

/** A record in its place: its hash covers the record, its number and the hash before it, so that none can be changed, left out or put in between unseen. */
export interface AuditEntry extends AuditRecord {
  /** The number of the entry, from 0. */
  readonly sequence: number;
  readonly previous: string;
  readonly hash: string;
}

/** The last entry's place, which is all that the next one needs. Kept elsewhere it shows that none was cut off the end. */
export interface AuditHead {
  readonly sequence: number;
  readonly hash: string;
}

/** The place that the first entry follows. */
export const emptyHead: AuditHead = { sequence: -1, hash: "0".repeat(64) };

function hashOf({ sequence, previous, at, actor, fact }: Omit<AuditEntry, "hash">): string {
  return sha256(canonicalJson({ format: "lethe-audit-log@1", sequence, previous, at, actor, fact }));
}

/** The entry of a record that follows a head. */
export function entryAfter(head: AuditHead, { at, actor, fact }: AuditRecord): AuditEntry {
  const placed = { sequence: head.sequence + 1, previous: head.hash, at, actor, fact };
  return { ...placed, hash: hashOf(placed) };
}

/**
 * Follows entries from a head on, in their order, and returns the last one's place. Errors: log.corrupt, which names the first sequence that does not hold; also
 * where an entry that `kept` knows is missing or another.
 * @param kept a head that was kept elsewhere, or null
 */
export function verifyAuditLog(
  entries: Iterable<AuditEntry>,
  from: AuditHead = emptyHead,
  kept: AuditHead | null = null,
): AuditHead {
  let head = from;
  let met = kept === null || (kept.sequence === from.sequence && kept.hash === from.hash);
  for (const entry of entries) {
    const expected = entryAfter(head, entry);
    if (entry.sequence !== expected.sequence || entry.previous !== head.hash || entry.hash !== expected.hash)
      throw corruptAt(expected.sequence);
    head = { sequence: entry.sequence, hash: entry.hash };
    if (kept?.sequence === head.sequence && kept.hash === head.hash) met = true;
  }
  if (!met && kept) throw corruptAt(kept.sequence);
  return head;
}

/** The refusal of a log that does not hold at an entry. */
export function corruptAt(sequence: number): LetheError {
  return new LetheError("log.corrupt", `the audit log does not hold at entry ${sequence}`, {
    fix: "keep the file as it is, restore a copy that holds, and find out who could write it",
    fields: { sequence },
  });
}
