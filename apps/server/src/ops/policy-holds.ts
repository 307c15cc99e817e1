import type { AccountLedger } from "@lethe/ledger";

/** The ledger is looked at no more often than this: whoever asks for readiness needs no name. */
const everyMs = 1000;

/**
 * Returns what tells whether the ledger still has the policy that the service read when it started. Where the owner put another budget on record beside it, every question is refused until it is started again.
 * @param elapsed milliseconds that no change of the date moves
 */
export function policyHolds(
  ledger: Pick<AccountLedger, "requirePolicy">,
  elapsed: () => number,
): () => Promise<boolean> {
  let looked = { at: Number.NEGATIVE_INFINITY, holds: Promise.resolve(true) };
  return () => {
    const at = elapsed();
    if (at >= looked.at + everyMs)
      looked = {
        at,
        holds: ledger.requirePolicy().then(
          () => true,
          () => false,
        ),
      };
    return looked.holds;
  };
}
