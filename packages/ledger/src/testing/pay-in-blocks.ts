import type { Ledger, ReserveRequest } from "../ledger.ts";

/** What was paid: by every block, so that the question may run; or by some, and one refused. What is paid stays paid. */
export type Payment =
  | { readonly kind: "paid" }
  | { readonly kind: "refused"; readonly block: number; readonly paid: readonly number[] };

/**
 * Pays for a question in the ledger of each block that it reads, in the order of the blocks, under one request. Nothing is read before all
 * have recorded it. Nothing is given back: a question that dies or is refused on the way leaves the blocks before overpaid, and asked
 * again it resumes their charges.
 */
export async function payInBlocks(
  ledgers: readonly Ledger[],
  blocks: readonly number[],
  request: ReserveRequest,
): Promise<Payment> {
  const paid: number[] = [];
  for (const block of [...new Set(blocks)].sort((a, b) => a - b)) {
    try {
      await ledgers[block]!.reserve(request);
    } catch (error) {
      if ((error as { readonly code?: string }).code !== "ledger.budget") throw error;
      return { kind: "refused", block, paid };
    }
    paid.push(block);
  }
  return { kind: "paid" };
}
