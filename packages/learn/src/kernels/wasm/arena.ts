import { unfit } from "../network/fields.ts";
import type { Bytes } from "./kernel-exports.ts";

/** Kernels read and write whole vectors: every piece has room for four of them behind its end. */
const room = 64;
const line = 64;
/** Below lie the few bytes, from 1024 on, that the kernels keep for themselves. */
const first = 4096;

/** The most memory that kernels may take. */
const mostBytes = 2 ** 31;

/** The floats of a matrix in panels of 16 columns, of which one may be narrower: packed as assembly/multiply.ts says. */
export const panelFloats = (depth: number, columns: number): number => depth * 8 * Math.ceil(columns / 8);

/** Hands out pieces of a memory that is made later, one after another. All of it is zeros at first, but for tables. */
export class Arena {
  #next: Bytes = first;
  readonly #tables: { readonly at: Bytes; readonly entries: Uint32Array }[] = [];

  /** The bytes handed out so far. */
  get bytes(): Bytes {
    return this.#next;
  }

  floats(count: number): Bytes {
    return this.#take(4 * count);
  }

  doubles(count: number): Bytes {
    return this.#take(8 * count);
  }

  /** Takes room for entries that kernels only read. */
  table(entries: Uint32Array): Bytes {
    const at = this.#take(entries.byteLength);
    this.#tables.push({ at, entries });
    return at;
  }

  /** Writes the tables into the memory, once it is there. */
  writeTables(memory: ArrayBuffer): void {
    for (const { at, entries } of this.#tables) new Uint32Array(memory, at, entries.length).set(entries);
  }

  /** Errors: model.invalid where it is more than kernels may take. */
  #take(bytes: Bytes): Bytes {
    const at = this.#next;
    this.#next += Math.ceil((bytes + room) / line) * line;
    if (this.#next > mostBytes)
      throw unfit("network", "needs more than 2 GiB of memory an example", "make its layers smaller");
    return at;
  }
}
