import { LetheError } from "@lethe/core";
import type { Schedule } from "@lethe/gateway";
import { type Ledger, ledgerWith } from "@lethe/ledger";
import { reached, type Timer } from "./timer.ts";

/** Work that asks a ledger for its charges: one question's journey. */
export type ScheduledWork<T> = (ledger: Ledger) => Promise<T>;

/**
 * Runs one question's journey under a release schedule. The slot of its answer is decided by its first charge and before anything is executed: the time of that charge, and so many milliseconds for each
 * statement of its plan. Nothing that follows the charge leaves before the slot, an answer no more than a failure; what is not settled by then has failed, is paid, and its later settlement is refused. A
 * journey that ends without a charge ends at once: what it tells follows from policy, question and earlier releases. Without a schedule this is the journey itself.
 *
 * The time at which an answer leaves then follows from its plan and its charge, as exactly as timers and the machine's load allow. That is no guarantee: timing stays outside it.
 * Errors: those of the journey; engine.failed, the one constant, at the slot.
 * @example await onSchedule((ledger) => answerOrMade(question, { ...house, ledger, schedule }), ledger, { each: 2000 }, timer)
 */
export async function onSchedule<T>(
  work: ScheduledWork<T>,
  ledger: Ledger,
  schedule: Schedule | null,
  timer: Timer,
): Promise<T> {
  if (schedule === null) return work(ledger);
  const slot = new Slot(schedule, timer);
  const running = work(slot.ledgerOf(ledger));
  running.catch(() => undefined);
  const isDone = await Promise.race([running.then(yes, yes), slot.isOver]);
  if (slot.at === null) return running;
  if (isDone) await reached(slot.at, timer);
  // What is done is settled, or has failed. What is not by now will not be: its ledger refuses it.
  return isDone ? running : Promise.reject(failedAtSlot());
}

const yes = (): true => true;

/** The time at which an answer leaves, once it is charged. */
class Slot {
  at: number | null = null;
  /** Resolves with false at the slot; never, where nothing is charged. */
  readonly isOver: Promise<false>;
  readonly #schedule: Schedule;
  readonly #timer: Timer;
  #end: (over: false) => void = () => undefined;

  constructor(schedule: Schedule, timer: Timer) {
    this.#schedule = schedule;
    this.#timer = timer;
    this.isOver = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Returns the ledger by which the journey is charged and settled. */
  ledgerOf(ledger: Ledger): Ledger {
    const charged = async (request: Parameters<Ledger["reserve"]>[0]): ReturnType<Ledger["reserve"]> => {
      const reserved = await ledger.reserve(request);
      if (reserved.kind === "charged") this.#begin(request.statements ?? 1);
      return reserved;
    };
    const settle: Ledger["settle"] = async (charge, release) => {
      if (this.#isOpen()) return ledger.settle(charge, release);
      await ledger.fail(charge);
      throw failedAtSlot();
    };
    return ledgerWith(ledger, { reserve: charged, settle });
  }

  /** The first charge decides: of a question with a pilot the second one follows from what was answered. */
  #begin(statements: number): void {
    if (this.at !== null) return;
    this.at = this.#timer.elapsed() + statements * this.#schedule.each;
    this.#timer.at(this.at, () => this.#end(false));
  }

  #isOpen(): boolean {
    return this.at !== null && this.#timer.elapsed() < this.at;
  }
}

/** The constant of the engine's own failures: that it was time which failed is not told. */
export function failedAtSlot(): LetheError {
  return new LetheError("engine.failed", "the database could not answer; details are in the owner's log", {
    fix: "ask the owner of the data",
  });
}
