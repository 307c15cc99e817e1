import type { Schedule } from "@lethe/gateway";
import { type Charge, type Ledger, ledgerWith } from "@lethe/ledger";
import type { JourneyName, Journeys } from "./journeys.ts";

/** A ledger whose requests are held while a journey goes on under them, and the end of that journey. */
export interface HeldJourney {
  readonly ledger: Ledger;
  /** Lets go of what was held. */
  end(): Promise<void>;
}

/**
 * Returns a ledger that takes each request before it is charged, so that no other process of the service runs it at the same time, and settles or fails it as long as it is still this process's. A process that stalled for so long
 * that another took over waits until that one is done, and then gives the bytes that were committed. Under a release schedule the slot is known to all processes before anything is executed. Errors also: serve.busy, before a charge,
 * under a policy that is no longer the service's.
 */
export function heldLedger(ledger: Ledger, journeys: Journeys, schedule: Schedule | null): HeldJourney {
  const held = new Map<string, { readonly of: JourneyName; term: number }>();
  const keyOf = ({ principal, requestId }: JourneyName): string => JSON.stringify([principal, requestId]);
  const letGo = async (key: string): Promise<void> => {
    const taken = held.get(key);
    held.delete(key);
    if (taken) await journeys.end(taken.of, taken.term);
  };
  const isHeld = async (charge: Charge): Promise<boolean> => {
    const taken = held.get(keyOf(charge));
    if (taken !== undefined) return journeys.holds(taken.of, taken.term);
    // The journey has ended at its slot, and its execution ends now: it is still this one's, unless another process has begun it again.
    const { principal, requestId } = charge;
    return !(await journeys.isUnderWay({ principal, requestId }));
  };
  const reserve: Ledger["reserve"] = async (request) => {
    const { principal, requestId } = request;
    const of = { principal, requestId };
    const key = keyOf(of);
    if (!held.has(key)) held.set(key, { of, term: await journeys.take(of) });
    try {
      await journeys.requirePolicy();
      const reserved = await ledger.reserve(request);
      if (reserved.kind === "settled") await letGo(key);
      else if (schedule !== null) await journeys.schedule(of, (request.statements ?? 1) * schedule.each);
      return reserved;
    } catch (error) {
      await letGo(key);
      throw error;
    }
  };
  const settle: Ledger["settle"] = async (charge, release) => {
    const taken = held.get(keyOf(charge));
    // Whoever took over runs it now; once it is done or dead, the first settlement is what both give.
    if (taken && !(await isHeld(charge))) {
      await journeys.end(taken.of, taken.term);
      taken.term = await journeys.take(taken.of);
    }
    return ledger.settle(charge, release);
  };
  const fail: Ledger["fail"] = async (charge) => {
    // What another runs has not failed.
    if (await isHeld(charge)) await ledger.fail(charge);
  };
  return {
    ledger: ledgerWith(ledger, { reserve, settle, fail }),
    end: async () => {
      for (const key of [...held.keys()]) await letGo(key);
    },
  };
}
