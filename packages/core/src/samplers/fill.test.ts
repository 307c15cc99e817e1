import { describe, expect, test } from "vitest";
import type { BitSource } from "../entropy/bit-source.ts";
import { SecureEntropy } from "../entropy/secure-entropy.ts";
import { WordBuffer } from "../entropy/word-buffer.ts";
import { parseRational } from "../numeric/rational.ts";
import { RecordingSource, SeededSource } from "../tape.ts";
import { roundedGaussian } from "./rounded-gaussian.ts";

/** A seeded source with a door for many words at once. */
class ManyWords implements BitSource {
  largest = 0;
  readonly #source: SeededSource;
  constructor(seed: number) {
    this.#source = new SeededSource(seed);
  }
  word(): number {
    return this.#source.word();
  }
  fillWords(out: Uint32Array): void {
    this.largest = Math.max(this.largest, out.length);
    for (let i = 0; i < out.length; i++) out[i] = this.#source.word();
  }
}

describe("many draws", () => {
  test.each([
    ["1/3", 1],
    ["1/3", 5000],
    ["22/7", 3],
    ["1363148.8", 1],
    ["1363148.8", 2],
    ["1363148.8", 2047],
    ["1363148.8", 20_011],
    ["70368744177664", 5000],
  ])(
    "σ %s: %i are those of single draws, from the same words, and the next word is the same",
    (sigma, count) => {
      const sampler = roundedGaussian(parseRational(sigma));
      for (let seed = 1; seed <= 5; seed++) {
        const one = new SeededSource(seed);
        const due = Float64Array.from({ length: count }, () => Number(sampler.sample(one)));
        const next = one.word();
        for (const bits of [
          new SeededSource(seed),
          new ManyWords(seed),
          new RecordingSource(new SeededSource(seed)),
        ]) {
          const out = new Float64Array(count).fill(Number.NaN);
          sampler.fill(out, bits);
          expect(out).toEqual(due);
          expect(bits.word()).toBe(next);
        }
      }
    },
  );

  test("hold no minus zero", () => {
    const out = new Float64Array(5000);
    roundedGaussian(parseRational("1/3")).fill(out, new SeededSource(1));
    expect(out.some((x) => Object.is(x, -0))).toBe(false);
    expect(out.filter((x) => x === 0).length).toBeGreaterThan(4000);
  });

  test("read ahead at most 16 KiB, and never more than is sure to be used", () => {
    const many = new ManyWords(4);
    roundedGaussian(parseRational("1e6")).fill(new Float64Array(30_000), many);
    expect(many.largest).toBe(4096);
    const few = new ManyWords(4);
    roundedGaussian(parseRational("1e6")).fill(new Float64Array(7), few);
    expect(few.largest).toBe(14);
  });

  test("leave no word behind, also when coins end", () => {
    let left = 100;
    const source: BitSource = {
      word() {
        left -= 1;
        if (left < 0) throw new Error("out of entropy");
        return 0x12345678;
      },
    };
    const buffer = new WordBuffer(source, 200);
    expect(() => buffer.readAhead(200)).toThrow("out of entropy");
    expect(buffer.end).toBe(0);
    buffer.forget();
    expect(buffer.held.every((word) => word === 0)).toBe(true);
    expect(() => roundedGaussian(parseRational("2")).fill(new Float64Array(9), source)).toThrow(
      "out of entropy",
    );
  });
});

/**
 * 200,000 draws of σ 1.3·2²⁰: |mean|/se below 5.6 and variance within 5.6 standard errors (1.8 % of it), each false with chance below 2.2e-8. A
 * scale off by a tenth is 21 % of the variance: 60 standard errors.
 */
test("the scale of a training's noise is its σ", () => {
  const sigma = 1.3 * 2 ** 20;
  const draw = (scale: string): { mean: number; square: number } => {
    const out = new Float64Array(200_000);
    roundedGaussian(parseRational(scale)).fill(out, new ManyWords(77));
    let [mean, square] = [0, 0];
    for (const x of out) [mean, square] = [mean + x / sigma, square + (x / sigma) ** 2];
    return { mean: mean / out.length, square: square / out.length };
  };
  const standardError = 1 / Math.sqrt(200_000);
  const { mean, square } = draw("1363148.8");
  expect(Math.abs(mean)).toBeLessThan(5.6 * standardError);
  expect(Math.abs(square - 1)).toBeLessThan(5.6 * Math.SQRT2 * standardError);
  expect(Math.abs(draw("1226833.92").square - 1)).toBeGreaterThan(10 * Math.SQRT2 * standardError);
});

describe("secure entropy", () => {
  class Counting {
    readonly blocks: Uint32Array[] = [];
    #count = 0;
    getRandomValues(words: Uint32Array): void {
      this.blocks.push(words);
      for (let i = 0; i < words.length; i++) words[i] = ++this.#count;
    }
  }
  test("hands out many words as it does one by one, and wipes them", () => {
    const source = new Counting();
    const entropy = new SecureEntropy(source);
    const got: number[] = [];
    for (const count of [3, 0, 300, 1, 20_000]) {
      const out = new Uint32Array(count);
      entropy.fillWords(out);
      got.push(...out, entropy.word());
    }
    expect(got).toEqual(Array.from({ length: got.length }, (_, i) => i + 1));
    expect(Math.max(...source.blocks.map((block) => block.byteLength))).toBe(65_536);
    const last = source.blocks.at(-1)!;
    const used = got.length - 256 - 16_384;
    expect(last.subarray(0, used).every((word) => word === 0)).toBe(true);
    expect(last[used]).toBe(got.length + 1);
  });
});
