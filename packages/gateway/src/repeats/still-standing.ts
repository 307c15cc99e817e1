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

/** An answer that was seen to stand for one who asks. */
export interface SeenStanding {
  readonly requestId: string;
  /** The hash of the ledger's newest record when it was looked for. */
  readonly head: string;
  /** The bytes. */
  readonly release: string;
}

/**
 * Returns the bytes of an answer that stands yet for the same question of the same version of the data; null where the question must be read again: a newer answer is there, the period is
 * over, or the id is no question's. Whoever keeps what stood before need not plan the question again: what is shown follows from the answers to it that the ledger has.
 *
 * What was `seen` before holds as long as the ledger has no newer record: the answers that there are and who may ask both follow from the records, and from nothing else. Of time there is the period
 * alone, which is looked at each time; windows of caps decide what is left, and not who may ask.
 * @param seen what this returned before for the same question, principal and project
 * Errors: ledger.principal for who may ask no more.
 */
export async function stillStanding(
  { requestId, asOf, validFor }: StoodBefore,
  { principal, project }: { readonly principal: string; readonly project: string | null },
  {
    ledger,
    clock,
  }: { readonly ledger: Pick<Ledger, "head" | "settled" | "remaining">; readonly clock: () => number },
  seen: SeenStanding | null = null,
): Promise<SeenStanding | null> {
  if (validFor !== null && !(clock() - Date.parse(asOf) < validFor)) return null;
  const next = idAfter(requestId);
  if (next === null) return null;
  // Before all else that is read, so that a record which comes in between is a newer one than this.
  const { hash: head } = await ledger.head();
  const before = seen?.requestId === requestId ? seen : null;
  if (before?.head === head) return before;
  // Bytes that settled a request are its bytes for good.
  const release = before?.release ?? (await ledger.settled(requestId, principal))?.release;
  if (release === undefined) return null;
  if ((await ledger.settled(next, principal)) !== null) return null;
  await ledger.remaining(principal, { project }); // who may ask no more is shown nothing either
  return { requestId, head, release };
}

/** Returns the id of the next request of the same question; null of an id that is no question's. */
function idAfter(requestId: string): string | null {
  const at = requestId.lastIndexOf("-") + 1;
  const place = Number(requestId.slice(at));
  return isGivenId(requestId) && Number.isSafeInteger(place) ? `${requestId.slice(0, at)}${place + 1}` : null;
}
