import type { Ledger } from "@lethe/ledger";
import type { Standing } from "./name-request.ts";
import { isGivenId } from "./request-id.ts";

export type { Standing } from "./name-request.ts";

/** An answer that stood for a question when it was last asked. */
export interface StoodBefore extends Pick<Standing, "validFor"> {
  readonly requestId: string;
  /** When it was given: ISO 8601. */
  readonly asOf: string;
}

/**
 * Returns the bytes of an answer that stands yet for the same question of the same version of the data; null where the question must be read again: a newer answer is there, the period is
 * over, or the id is no question's. Whoever keeps what stood before need not plan the question again: what is shown follows from the answers to it that the ledger has.
 * Errors: ledger.principal for who may ask no more.
 */
export async function stillStanding(
  { requestId, asOf, validFor }: StoodBefore,
  { principal, project }: { readonly principal: string; readonly project: string | null },
  { ledger, clock }: { readonly ledger: Pick<Ledger, "settled" | "remaining">; readonly clock: () => number },
): Promise<string | null> {
  if (validFor !== null && !(clock() - Date.parse(asOf) < validFor)) return null;
  const next = idAfter(requestId);
  if (next === null) return null;
  const answered = await ledger.settled(requestId, principal);
  if (answered === null) return null;
  if ((await ledger.settled(next, principal)) !== null) return null;
  await ledger.remaining(principal, { project }); // who may ask no more is shown nothing either
  return answered.release;
}

/** Returns the id of the next request of the same question; null of an id that is no question's. */
function idAfter(requestId: string): string | null {
  const at = requestId.lastIndexOf("-") + 1;
  const place = Number(requestId.slice(at));
  return isGivenId(requestId) && Number.isSafeInteger(place) ? `${requestId.slice(0, at)}${place + 1}` : null;
}
