import { setTimeout as pause } from "node:timers/promises";
import { Cut } from "./connection.ts";
import type { Session } from "./session.ts";

/** The pauses before the next try, in milliseconds: a server that starts again takes seconds. */
const pauses: readonly number[] = [0, 50, 100, 200, 400, 800, 1600, 3200, 3200, 3200];

/**
 * Does work in a session, again where the session was cut before it was done. Work that was cut left nothing behind: its transaction ended with
 * the session, and what it gives is told by nobody. Where it fails otherwise its transaction is undone. Errors: those of the work; Cut where every try was.
 */
export async function retried<T>(session: Session, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Cut)) {
        await session.undo();
        throw error;
      }
      await session.drop();
      const wait = pauses[tries];
      if (wait === undefined) throw error;
      await pause(wait);
    }
  }
}
