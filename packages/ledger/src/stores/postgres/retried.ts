import { setTimeout as pause } from "node:timers/promises";
import { Cut } from "./connection.ts";
import type { Session } from "./session.ts";

/** The pause before the second try, in milliseconds; each later one is twice as long as the one before, up to the longest. */
const [firstPause, longestPause] = [50, 2000];

/**
 * Does work in a session, again where the session was cut before it was done. Work that was cut left nothing behind: its transaction ended with
 * the session, and what it gives is told by nobody. Where it fails otherwise its transaction is undone. Errors: those of the work; Cut where the pauses were longer than `patienceMs` together.
 */
export async function retried<T>(session: Session, patienceMs: number, work: () => Promise<T>): Promise<T> {
  let [left, wait] = [patienceMs, 0];
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Cut)) {
        await session.undo();
        throw error;
      }
      await session.drop();
      if (!(wait <= left)) throw error;
      await pause(wait);
      left -= wait;
      wait = Math.min(Math.max(firstPause, 2 * wait), longestPause);
    }
  }
}
