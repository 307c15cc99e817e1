import { type AuditHead, corruptAt, emptyHead, verifyAuditLog } from "./audit-chain.ts";
import type { AuditLogStore } from "./audit-log.ts";

const pageSize = 1000;

/**
 * Follows a whole log in its store, page by page, and returns the last entry's place. Errors: log.corrupt, which names the first entry that was changed, removed, put in or moved; also where the entry of a head that was kept
 * elsewhere is missing or another, and where the place that the next entry would follow is not the last one.
 * @param kept a head that was kept elsewhere, or null: without one nobody sees that entries are gone from the end
 */
export async function verifyAuditStore(
  store: AuditLogStore,
  kept: AuditHead | null = null,
): Promise<AuditHead> {
  const end = await store.head();
  let head = emptyHead;
  while (head.sequence < end.sequence) {
    const first = head.sequence + 1;
    const page = await store.page(first + pageSize, pageSize);
    const entries = page.filter(({ sequence }) => sequence >= first).reverse();
    // Nothing in the place of a whole page.
    if (entries.length === 0) throw corruptAt(first);
    const within = entries.find(({ sequence }) => sequence === kept?.sequence);
    head = verifyAuditLog(entries, head, within ? kept : null);
  }
  if (head.sequence !== end.sequence || head.hash !== end.hash) throw corruptAt(head.sequence);
  if (kept !== null && kept.sequence > head.sequence) throw corruptAt(kept.sequence);
  return head;
}
