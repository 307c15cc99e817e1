import type { ChargeReport } from "@lethe/ledger";

/**
 * The state of a request as it is told: in flight, while its journey goes on here; charged, where none does and it was not answered, so that asking again goes on under the same charge; settled; failed, charged all the same.
 */
export type RequestState = "in-flight" | "charged" | "settled" | "failed";

/**
 * Returns the state of a charge as whoever asked may know it. Under a release schedule an answer is settled before it leaves, and what is late is ended at a time that depends on the data: so nothing changes between
 * the charge and the slot, and whatever is not settled then has failed, for good or until it is asked again.
 */
export function requestState(
  { state }: Pick<ChargeReport, "state">,
  { isOpen, isScheduled }: { readonly isOpen: boolean; readonly isScheduled: boolean },
): RequestState {
  if (isOpen) return "in-flight";
  if (state === "settled") return "settled";
  return isScheduled || state === "failed" ? "failed" : "charged";
}
