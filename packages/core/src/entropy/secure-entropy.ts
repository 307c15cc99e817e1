import { LetheError } from "../errors/lethe-error.ts";
import type { BitSource } from "./bit-source.ts";

/** The part of the Web Crypto interface that is needed; `globalThis.crypto` is one. At most 65,536 bytes a call. */
export interface RandomValues {
  getRandomValues(words: Uint32Array<ArrayBuffer>): unknown;
}

/** 64 KiB, the most that one call of getRandomValues fills. */
const blockWords = 16_384;
const firstBlockWords = 256;

/**
 * The operating system's randomness, read in blocks of at most 64 KiB. Every word is handed out once and wiped from the
 * block as it leaves. Nothing else has this type: the fields are private to the class, and a release asks for it by name.
 *
 * A block must not be duplicated. An instance must not survive a fork, a process or virtual-machine snapshot, or a
 * hand-over to a worker: two copies would hand out the same coins, and the difference of two answers would show the data.
 * Make a new instance on the other side, or call {@link forget} before. (structuredClone and postMessage do not carry
 * private fields, so a copy made that way is refused, not weak.)
 * @example new SecureEntropy(globalThis.crypto).word() // a uniform integer in [0, 2^32)
 */
export class SecureEntropy implements BitSource {
  readonly #source: RandomValues;
  #block: Uint32Array<ArrayBuffer> = new Uint32Array(firstBlockWords);
  #next: number = firstBlockWords;
  #started = false;

  constructor(source: RandomValues) {
    if (typeof source?.getRandomValues !== "function") {
      throw new LetheError("internal.invariant", "no source of secure randomness", {
        fix: "give SecureEntropy an object with getRandomValues, such as globalThis.crypto",
      });
    }
    this.#source = source;
  }

  word(): number {
    if (this.#next >= this.#block.length) this.#refill();
    const word = this.#block[this.#next];
    if (word === undefined)
      throw new LetheError("internal.invariant", "a block without coins", {
        fix: "report this: Lethe read outside one of its own lists",
      });
    this.#block[this.#next] = 0;
    this.#next += 1;
    return word;
  }

  /** Fills a list with the next words. What it holds is then the caller's to wipe. */
  fillWords(out: Uint32Array): void {
    for (let filled = 0; filled < out.length; ) {
      if (this.#next >= this.#block.length) this.#refill();
      const count = Math.min(out.length - filled, this.#block.length - this.#next);
      out.set(this.#block.subarray(this.#next, this.#next + count), filled);
      this.#block.fill(0, this.#next, this.#next + count);
      this.#next += count;
      filled += count;
    }
  }

  /** Wipes what is buffered; the next word comes from a new block. */
  forget(): void {
    this.#block.fill(0);
    this.#next = this.#block.length;
  }

  #refill(): void {
    // The first block is small, so that a single question does not pay for 16,384 words.
    if (this.#started && this.#block.length < blockWords) this.#block = new Uint32Array(blockWords);
    this.#started = true;
    // Past the end until the block is filled: if the source throws, no stale word can leave.
    this.#next = this.#block.length;
    this.#source.getRandomValues(this.#block);
    this.#next = 0;
  }
}
