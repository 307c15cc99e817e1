import { LetheError } from "@lethe/core";
import type { Ledger } from "@lethe/ledger";
import { lastAnswered } from "./last-answered.ts";
import { type AskedAgain, requestIds } from "./request-id.ts";

/** Where a question stands among those that asked the same before. */
export interface FoundRepeat {
  /** The request whose answer stands for this one; null where it is to be paid for. */
  readonly answered: { readonly requestId: string; readonly asOf: string } | null;
  /** The request under which it is paid for. Whoever asks at the same time shares it. */
  readonly next: string;
}

/** How many answers to a question there were when it was looked. */
export interface SeenAnswers {
  /** The first request of the question. */
  readonly first: string;
  readonly answers: number;
}

/**
 * Finds the newest answer to the same question of the same version of the data, by the same principal. Only what the ledger has made durable is found.
 * @param seen what was just seen of the question; where an answer came since, whoever reserves its request is given it
 */
export async function findRepeat(
  asked: AskedAgain,
  { ledger, clock }: { readonly ledger: Pick<Ledger, "settled">; readonly clock: () => number },
  seen: SeenAnswers | null = null,
): Promise<FoundRepeat> {
  const idOf = requestIds(asked);
  const last = seen?.first === idOf(1) ? seen.answers : await answersTo(asked, ledger);
  const next = idOf(last + 1);
  if (last === 0) return { answered: null, next };
  const requestId = idOf(last);
  const asOf = answeredAt((await ledger.settled(requestId, asked.principal))?.release ?? "null");
  if (asOf === null)
    throw new LetheError(
      "internal.invariant",
      "an answer that the ledger keeps does not say when it was given",
      {
        fix: "check the ledger: lethe ledger verify",
      },
    );
  const { validFor } = asked.version;
  const stands = validFor === null || clock() - Date.parse(asOf) < validFor;
  return { answered: stands ? { requestId, asOf } : null, next };
}

/** Returns how many answers to a question the ledger keeps. */
export function answersTo(asked: AskedAgain, ledger: Pick<Ledger, "settled">): Promise<number> {
  const idOf = requestIds(asked);
  return lastAnswered(async (place) => (await ledger.settled(idOf(place), asked.principal)) !== null);
}

/** Returns the time that a kept release states; null of one that states none, as what a round of a workload keeps. */
export function answeredAt(release: string): string | null {
  const at: unknown = JSON.parse(release)?.certificate?.at;
  return typeof at === "string" ? at : null;
}
