import { unfit } from "../network/fields.ts";
import type { Bytes } from "./kernel-exports.ts";

/** Kernels read and write whole vectors: every piece has room for two of them behind its end. */
const room = 32;
const line = 64;
/** Below lie the few bytes, from 1024 on, that the kernels keep for themselves. */
const first = 4096;

/** The most memory that kernels may take. */
const mostBytes = 2 ** 31;

/** Hands out pieces of a memory that is made later, one after another. All of it is zeros at first. */
export class Arena {
  #next: Bytes = first;

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

  /** Takes room for a matrix in panels of 8 columns. */
  panels(depth: number, columns: number): Bytes {
    return this.floats(depth * (columns + 7));
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
