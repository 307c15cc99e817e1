import { describe, expect, test } from "vitest";
import { ratio } from "./numeric/rational.ts";
import {
  BitTape,
  enumerateCoins,
  enumerateTapes,
  RecordingSource,
  SeededSource,
  TapeExhausted,
} from "./tape.ts";

describe("BitTape", () => {
  test("hands out its words, counts them, and ends with an error of its own", () => {
    const tape = new BitTape([1, 0xffffffff]);
    expect([tape.word(), tape.word(), tape.read]).toEqual([1, 0xffffffff, 2]);
    expect(() => tape.word()).toThrow(TapeExhausted);
    expect(tape.read).toBe(2);
  });
  test("replays what was recorded", () => {
    const recording = new RecordingSource(new SeededSource(7));
    const words = Array.from({ length: 50 }, () => recording.word());
    const tape = new BitTape(recording.words);
    expect(Array.from({ length: 50 }, () => tape.word())).toEqual(words);
  });
});

describe("SeededSource", () => {
  test("is reproducible, differs by seed, and its bytes pass a chi-square at false alarm 1e-9", () => {
    const [a, b, c] = [new SeededSource(1), new SeededSource(1), new SeededSource(2)];
    const words = Array.from({ length: 100_000 }, () => a.word());
    expect(Array.from({ length: 9 }, () => b.word())).toEqual(words.slice(0, 9));
    expect(Array.from({ length: 9 }, () => c.word())).not.toEqual(words.slice(0, 9));
    for (const shift of [0, 8, 16, 24]) {
      const counts = new Array<number>(256).fill(0);
      for (const word of words) counts[(word >>> shift) & 255]! += 1;
      const expected = words.length / 256;
      const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      expect(chiSquare).toBeLessThan(255 + 6.5 * Math.sqrt(510)); // P < 1e-8 for 255 degrees of freedom
    }
  });
});

describe("enumerateCoins", () => {
  test("masses are exact", () => {
    const { masses, residual } = enumerateCoins((coins) => coins.bit() + coins.choose([1, 0, 2]), 8);
    expect(masses).toEqual(
      new Map([
        [0, ratio(1n, 6n)],
        [2, ratio(1n, 3n)],
        [1, ratio(1n, 6n)],
        [3, ratio(1n, 3n)],
      ]),
    );
    expect(residual).toEqual(ratio(0n));
  });
  test("what did not end within the depth is residual", () => {
    const geometric = enumerateCoins((coins) => {
      let zeros = 0;
      while (coins.bit() === 0) zeros++;
      return zeros;
    }, 6);
    expect(geometric.residual).toEqual(ratio(1n, 64n));
    expect(geometric.masses.get(5)).toEqual(ratio(1n, 64n));
  });
});

describe("enumerateTapes", () => {
  test("finds a threshold to the last bit, across words", () => {
    const threshold = (3n << 64n) / 7n;
    const [high, low] = [Number(threshold >> 32n), Number(threshold & 0xffffffffn)];
    const below = enumerateTapes(
      (bits) => {
        const word = bits.word();
        return word === high ? bits.word() < low : word < high;
      },
      { depth: 2 },
    );
    expect(below.residual).toEqual(ratio(0n));
    expect(below.masses.get(true)).toEqual(ratio(threshold, 1n << 64n));
  });
  test("carries a rejection as residual", () => {
    const third = enumerateTapes(
      (bits) => {
        for (;;) {
          const two = bits.word() >>> 30;
          if (two < 3) return two;
        }
      },
      { depth: 3 },
    );
    expect(third.masses.get(1)).toEqual(ratio(1n, 4n));
    expect(third.residual).toEqual(ratio(1n, 4n));
  });
});
