import { LetheError } from "@lethe/core";
import type { WireAnswer } from "../answers/wire-answer.ts";
import type { WireCell } from "../answers/wire-type.ts";

/** The rest of an answer, given row by row. */
export class Cursor {
  readonly columns: WireAnswer["columns"];
  /** Whether it stays after its block. */
  readonly isHeld: boolean;
  readonly #rows: Iterator<readonly WireCell[]>;

  constructor(answer: WireAnswer, isHeld: boolean) {
    this.columns = answer.columns;
    this.isHeld = isHeld;
    this.#rows = answer.rows()[Symbol.iterator]();
  }

  /** Takes the next rows, at most so many; null for all. */
  *take(most: number | null): Iterable<readonly WireCell[]> {
    for (let count = 0; most === null || count < most; count += 1) {
      const next = this.#rows.next();
      if (next.done) return;
      yield next.value;
    }
  }
}

const mostCursors = 50;

/** The cursors of a connection, by name. */
export class Cursors {
  readonly #cursors = new Map<string, Cursor>();

  /** Refuses a name before its question is asked. Errors: query.option. */
  requireFree(name: string): void {
    if (this.#cursors.has(name))
      throw new LetheError("query.option", "a cursor has this name already", {
        fix: "close it first, or choose another name",
      });
    if (this.#cursors.size >= mostCursors)
      throw new LetheError("query.too-large", `a connection has at most ${mostCursors} cursors`, {
        fix: "close those that are read",
      });
  }

  add(name: string, cursor: Cursor): void {
    this.#cursors.set(name, cursor);
  }

  has(name: string): boolean {
    return this.#cursors.has(name);
  }

  /** Errors: query.option where there is none of this name. */
  named(name: string): Cursor {
    const cursor = this.#cursors.get(name);
    if (cursor) return cursor;
    throw new LetheError("query.option", "there is no cursor of this name", {
      fix: "declare it first, in this block",
    });
  }

  /** Closes a cursor, or all where no name is stated. Errors: those of {@link named}. */
  close(name: string | null): void {
    if (name === null) this.#cursors.clear();
    else {
      this.named(name);
      this.#cursors.delete(name);
    }
  }

  /** Closes those that do not stay after their block. */
  endBlock(): void {
    for (const [name, { isHeld }] of this.#cursors) if (!isHeld) this.#cursors.delete(name);
  }
}
