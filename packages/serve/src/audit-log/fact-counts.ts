import { addressKey } from "../limits/index.ts";
import type { AuditFact, AuditRecord, CountedFact } from "./audit-fact.ts";

/** The window in which alike facts are counted, in milliseconds. */
export const countedMs: number = 10 * 60_000;
/** The most facts of senders whom nobody knows that are written in one window: of all, and of one address. */
const mostOfNobody = 256;
const mostOfAddress = 16;

interface Count {
  readonly record: AuditRecord;
  more: number;
}

/**
 * Counts facts that anybody could cause without end, so that nobody fills the disk: the first of its kind and sender in a window is to be written, and the further ones are a number. Senders
 * whom nobody knows could name themselves by any address, so that beyond a number of them they are counted as one. Whoever is signed in is counted apart, and hides behind none of them.
 */
export class FactCounts {
  readonly #counts = new Map<string, Count>();
  readonly #ofAddress = new Map<string, number>();
  #ofNobody = 0;
  #window = 0;

  /** Returns what was counted in a window that is over, to be written down. */
  turn(at: number): readonly AuditRecord[] {
    const window = Math.floor(at / countedMs);
    return window === this.#window ? [] : this.#begin(window, at);
  }

  /** Ends the window before its time, and returns what was counted in it. */
  end(at: number): readonly AuditRecord[] {
    return this.#begin(this.#window, at);
  }

  /**
   * Whether a record is the first of its kind in this window, which must be written; it is counted otherwise.
   * @param apart what else tells it from others: the same work whatever it is
   */
  isFirst(record: AuditRecord & { readonly fact: CountedFact }, apart: string): boolean {
    const { actor, fact } = record;
    const from = actor.name === null ? addressKey(actor.address ?? "") : null;
    const of = "outcome" in fact ? fact.outcome : "code" in fact ? fact.code : null;
    const route = "route" in fact ? fact.route : null;
    const key = JSON.stringify([actor.name, actor.id, from, fact.kind, of, route, apart]);
    const known = this.#counts.get(key);
    if (known) known.more += 1;
    else if (from === null || this.#takes(from)) this.#counts.set(key, { record, more: 0 });
    else this.#countAmongMany(record, fact);
    return !known && this.#counts.has(key);
  }

  #takes(from: string): boolean {
    const own = this.#ofAddress.get(from) ?? 0;
    if (own >= mostOfAddress || this.#ofNobody >= mostOfNobody) return false;
    this.#ofAddress.set(from, own + 1);
    this.#ofNobody += 1;
    return true;
  }

  #countAmongMany({ at }: AuditRecord, fact: CountedFact): void {
    const one: CountedFact = fact.kind === "sign-in-refused" ? { ...fact, person: null } : fact;
    const key = JSON.stringify(["many", one.kind, "code" in one ? one.code : null]);
    const count = this.#counts.get(key);
    const actor = { name: null, by: null, id: null, address: null };
    if (count) count.more += 1;
    else this.#counts.set(key, { record: { at, actor, fact: one }, more: 1 });
  }

  #begin(window: number, at: number): readonly AuditRecord[] {
    const counted = [...this.#counts.values()].filter(({ more }) => more > 0);
    this.#counts.clear();
    this.#ofAddress.clear();
    this.#ofNobody = 0;
    this.#window = window;
    return counted.map(({ record, more }) => {
      const fact: AuditFact = {
        kind: "counted",
        fact: record.fact as CountedFact,
        more,
        since: record.at,
      };
      return { at, actor: record.actor, fact };
    });
  }
}
