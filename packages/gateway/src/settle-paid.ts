import type { Charge, Ledger } from "@lethe/ledger";

/**
 * Does the work that was paid for, and makes what it gives durable before any of it leaves: of two runs of one request the first settles, and both
 * return its bytes. Whatever fails after the charge is recorded, and the price stays spent: a refund would depend on the data.
 */
export async function settlePaid<T>(
  ledger: Ledger,
  charge: Charge,
  work: (paid: Charge) => Promise<T>,
): Promise<T> {
  try {
    return JSON.parse(await ledger.settle(charge, JSON.stringify(await work(charge))));
  } catch (error) {
    await ledger.fail(charge);
    throw error;
  }
}
