import { wordAt } from "../numeric/elements/element-at.ts";
import type { BitSource } from "./bit-source.ts";

/** 16 KiB: so many words fit a processor's nearest cache. */
const mostWords = 4096;

/**
 * The words of a source, read ahead in one go: never more of them than are sure to be used, so that whoever draws from the source later finds
 * the very word that it would find without this. Hands out the same words in the same order.
 */
export class WordBuffer implements BitSource {
  /** What was read ahead, from {@link next} to {@link end}. */
  readonly held: Uint32Array;
  next = 0;
  end = 0;
  readonly #source: BitSource;

  constructor(source: BitSource, most: number) {
    this.#source = source;
    this.held = new Uint32Array(Math.min(mostWords, Math.max(0, most)));
  }

  /** Reads ahead, once all is used up. `certain` is how many more words are sure to be used. */
  readAhead(certain: number): void {
    if (this.next < this.end) return;
    const words = this.held.subarray(0, Math.min(certain, this.held.length));
    [this.next, this.end] = [0, 0];
    if (this.#source.fillWords) this.#source.fillWords(words);
    else for (let i = 0; i < words.length; i++) words[i] = this.#source.word();
    this.end = words.length;
  }

  word(): number {
    if (this.next >= this.end) return this.#source.word();
    this.next += 1;
    return wordAt(this.held, this.next - 1);
  }

  /** Wipes what was read. */
  forget(): void {
    this.held.fill(0);
    [this.next, this.end] = [0, 0];
  }
}
