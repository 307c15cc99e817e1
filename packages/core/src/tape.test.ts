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
    expect(() => tape.word()).toThrow(/only 2 words/);
    expect(tape.read).toBe(2);
    expect(new BitTape([-1]).word()).toBe(0xffffffff);
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

/** xoshiro128++ and its seeding, as published, in integers without 32-bit tricks. */
function reference(seed: number): () => bigint {
  const mask = (1n << 32n) - 1n;
  const rotated = (x: bigint, by: bigint): bigint => ((x << by) | (x >> (32n - by))) & mask;
  let state = BigInt(seed) & mask;
  const mixed = (): bigint => {
    state = (state + 0x9e3779b9n) & mask;
    let z = state;
    z = ((z ^ (z >> 16n)) * 0x85ebca6bn) & mask;
    z = ((z ^ (z >> 13n)) * 0xc2b2ae35n) & mask;
    return z ^ (z >> 16n);
  };
  const s = [mixed(), mixed(), mixed(), mixed() | 1n] as [bigint, bigint, bigint, bigint];
  return () => {
    const result = (rotated((s[0] + s[3]) & mask, 7n) + s[0]) & mask;
    const t = (s[1] << 9n) & mask;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotated(s[3], 11n);
    return result;
  };
}

test.each([0, 1, 42, 2 ** 31, 2 ** 32 - 1])("SeededSource is xoshiro128++ from the seed %i", (seed) => {
  const [source, due] = [new SeededSource(seed), reference(seed)];
  for (let i = 0; i < 300; i++) expect(BigInt(source.word())).toBe(due());
});

describe("enumerateCoins", () => {
  test("gives up no path that is as likely as 2^−depth, and asks of none that is", () => {
    for (const depth of [1, 3]) {
      const asked: number[] = [];
      const { masses, residual } = enumerateCoins((coins) => {
        let drawn = 0;
        while (drawn < 4 && coins.bit() === 1) drawn += 1;
        asked.push(drawn);
        return drawn;
      }, depth);
      expect(residual).toEqual(ratio(1n, 1n << BigInt(depth)));
      expect(masses.get(depth - 1)).toEqual(ratio(1n, 1n << BigInt(depth)));
      expect(masses.has(depth)).toBe(false);
    }
  });
  test("of a program without coins is its outcome", () => {
    expect(enumerateCoins(() => "sure", 0).masses).toEqual(new Map([["sure", ratio(1n)]]));
  });
  test("lets a program's own error pass", () => {
    expect(() =>
      enumerateCoins((coins) => {
        if (coins.bit() === 1) throw new RangeError("the program's own");
        return 0;
      }, 4),
    ).toThrow(RangeError);
  });
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
  test("follows each word on its own where few of them want more", () => {
    const words = enumerateTapes(
      (bits) => {
        const word = bits.word();
        // One word in the middle asks again.
        return word === 0x80000005 ? bits.word() >>> 31 : word > 0x80000005 ? 3 : 2;
      },
      { depth: 2 },
    );
    const half = (n: bigint): unknown => ratio(n, 1n << 33n);
    expect(words.residual).toEqual(ratio(0n));
    expect([words.masses.get(0), words.masses.get(1)]).toEqual([half(1n), half(1n)]);
    expect(words.masses.get(2)).toEqual(ratio(0x80000005n, 1n << 32n));
  });
  test("carries what would ask for more words than the depth", () => {
    const deep = enumerateTapes((bits) => (bits.word() === 0 ? bits.word() : 0), { depth: 1 });
    expect(deep.residual).toEqual(ratio(1n, 1n << 32n));
  });
  test("lets a sampler's own error pass", () => {
    expect(() =>
      enumerateTapes(
        (bits) => {
          if (bits.word() > 5) throw new RangeError("the sampler's own");
          return 0;
        },
        { depth: 1 },
      ),
    ).toThrow(RangeError);
  });
});
