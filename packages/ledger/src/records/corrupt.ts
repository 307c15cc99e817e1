import { LetheError } from "@lethe/core";

/** The ledger contradicts itself: `reason` says where, in words that hold nothing but the ledger's own numbers. */
export function corrupt(reason: string, sequence: number | null = null): LetheError {
  const place = sequence === null ? "the ledger" : `record ${sequence} of the ledger`;
  return new LetheError("ledger.corrupt", `${place} does not hold: ${reason}`, {
    fix: "run lethe ledger verify, then restore the ledger from a backup; keep the damaged one",
    fields: sequence === null ? { reason } : { reason, sequence },
  });
}
