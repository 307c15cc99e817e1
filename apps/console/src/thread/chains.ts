import { LetheError } from "@lethe/core";
import { sha256 } from "@lethe/core/canonical";
import { hashedText, type StoredRecord } from "@lethe/ledger/hashed-text";
import { type AuditEntry, verifyAuditLog } from "@lethe/serve/audit-chain";
import type { Head, ToFollow } from "./works.ts";

/** Follows entries of the audit log. Errors: log.corrupt, which names the first that does not hold. */
export function followAuditLog({ from, entries }: ToFollow): Head {
  return verifyAuditLog(entries as readonly AuditEntry[], from);
}

/** Follows records of the ledger's chain. Errors: ledger.corrupt, which names the first that does not hold. */
export function followLedger({ from, entries }: ToFollow): Head {
  let head = from;
  for (const { hash, ...record } of entries as readonly StoredRecord[]) {
    const { sequence, previous } = record;
    if (sequence !== head.sequence + 1 || previous !== head.hash || sha256(hashedText(record)) !== hash)
      throw new LetheError(
        "ledger.corrupt",
        `the ledger's chain does not hold at record ${head.sequence + 1}`,
        {
          fix: "keep the ledger as it is, run lethe ledger verify where it lies, and find out who could write it",
        },
      );
    head = { sequence, hash };
  }
  return head;
}
