import { describe, expect, test } from "vitest";
import type { BitSource } from "./bit-source.ts";
import { type RandomValues, SecureEntropy } from "./secure-entropy.ts";
import { secureEntropy } from "./system-entropy.ts";

/** Numbers the words 1, 2, 3 …, remembers every block it was given. */
class Counting implements RandomValues {
  readonly blocks: Uint32Array[] = [];
  broken = false;
  #count = 0;
  getRandomValues(words: Uint32Array): void {
    if (this.broken) throw new Error("out of entropy");
    this.blocks.push(words);
    for (let i = 0; i < words.length; i++) words[i] = ++this.#count;
  }
}

describe("SecureEntropy", () => {
  test("hands out every word once, in order, across blocks of at most 64 KiB", () => {
    const source = new Counting();
    const entropy = new SecureEntropy(source);
    for (let i = 1; i <= 40_000; i++) expect(entropy.word()).toBe(i);
    expect(Math.max(...source.blocks.map((block) => block.byteLength))).toBe(65_536);
  });
  test("wipes what it handed out", () => {
    const source = new Counting();
    const entropy = new SecureEntropy(source);
    for (let i = 0; i < 10; i++) entropy.word();
    expect([...source.blocks[0]!.subarray(0, 11)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11]);
    entropy.forget();
    expect(source.blocks[0]!.every((word) => word === 0)).toBe(true);
    expect(entropy.word()).toBe(257);
  });
  test("gives nothing when the source fails, and goes on when it recovers", () => {
    const source = new Counting();
    const entropy = new SecureEntropy(source);
    for (let i = 0; i < 256; i++) entropy.word();
    source.broken = true;
    expect(() => entropy.word()).toThrow("out of entropy");
    expect(() => entropy.word()).toThrow("out of entropy");
    source.broken = false;
    expect(entropy.word()).toBe(257);
  });
  test("is a type that no other source has, also at run time", () => {
    const coin: BitSource = { word: () => 4 };
    // @ts-expect-error a bit source is not secure entropy
    const wrong: SecureEntropy = coin;
    expect(wrong).not.toBeInstanceOf(SecureEntropy);
    expect(() => SecureEntropy.prototype.word.call(structuredClone(secureEntropy()))).toThrow(TypeError);
    expect(() => new SecureEntropy({} as RandomValues)).toThrow(/secure randomness/);
  });
  test("the platform's words look fair: each of the 32 bits within 6.5 standard deviations (false alarm < 1e-8)", () => {
    const entropy = secureEntropy();
    const counts = new Array<number>(32).fill(0);
    const n = 40_000;
    for (let i = 0; i < n; i++) {
      const word = entropy.word();
      for (let bit = 0; bit < 32; bit++) counts[bit]! += (word >>> bit) & 1;
    }
    for (const count of counts) expect(Math.abs(count - n / 2)).toBeLessThan(6.5 * Math.sqrt(n / 4));
  });
});
