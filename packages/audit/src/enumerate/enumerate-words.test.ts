import { type BitSource, ratio } from "@lethe/core";
import { one, sum, zero } from "@lethe/core/numeric";
import { uniformBelow } from "@lethe/core/samplers";
import { describe, expect, test } from "vitest";
import { between, enumerateWords, lowBits, type WordCell } from "./enumerate-words.ts";
import { lawOf } from "./law-of.ts";

const words = 2 ** 32;
const sizes = (cells: readonly WordCell[]): number => cells.reduce((total, { size }) => total + size, 0);

describe("cells", () => {
  test.each([0, 1, 3, 8])("by the lowest %d bits share out all words, with stand-ins far apart", (count) => {
    const cells = lowBits(count);
    expect(cells).toHaveLength(2 ** count);
    expect(sizes(cells)).toBe(words);
    for (const [low, { standIns, size }] of cells.entries()) {
      expect(size).toBe(2 ** (32 - count));
      expect(standIns.map((word) => word % 2 ** count)).toEqual([low, low, low]);
      expect(standIns.every((word) => Number.isSafeInteger(word) && word >= 0 && word < words)).toBe(true);
      expect(standIns[0]).toBeLessThan(2 ** count);
      expect(standIns[1]).toBeGreaterThanOrEqual(words - 2 ** count);
      expect(Math.abs(standIns[2]! - 2 ** 31)).toBeLessThanOrEqual(2 ** count);
    }
  });
  test("between thresholds begin at one and end before the next, and none is empty", () => {
    expect(between([10, 100, 100])).toEqual([
      { standIns: [0, 9, 4], size: 10 },
      { standIns: [10, 99, 54], size: 90 },
      { standIns: [100, words - 1, Math.floor((words + 99) / 2)], size: words - 100 },
    ]);
    expect(between([0, words]).map(({ size }) => size)).toEqual([words]);
    expect(between([])).toEqual([{ standIns: [0, words - 1, 2 ** 31 - 1], size: words }]);
    expect(between([words - 1]).at(-1)).toEqual({ standIns: [words - 1, words - 1, words - 1], size: 1 });
  });
});

describe("every tape", () => {
  const quarter = 2 ** 30;
  test("has its exact mass, however many words its outcome takes", () => {
    const geometric = (bits: BitSource): number => {
      let count = 0;
      while (bits.word() >= quarter) count += 1;
      return count;
    };
    const { masses, residual } = enumerateWords(geometric, () => between([quarter]), 3);
    expect(masses).toEqual(
      new Map([
        [0, ratio(1n, 4n)],
        [1, ratio(3n, 16n)],
        [2, ratio(9n, 64n)],
      ]),
    );
    expect(residual).toEqual(ratio(27n, 64n));
  });
  test("is read by the cells of its own place", () => {
    const pair = (bits: BitSource): string => `${bits.word() & 1} ${Number(bits.word() >= quarter)}`;
    const { masses, residual } = enumerateWords(
      pair,
      (read) => (read === 0 ? lowBits(1) : between([quarter])),
      2,
    );
    expect(masses).toEqual(
      new Map([
        ["0 0", ratio(1n, 8n)],
        ["0 1", ratio(3n, 8n)],
        ["1 0", ratio(1n, 8n)],
        ["1 1", ratio(3n, 8n)],
      ]),
    );
    expect(residual).toEqual(zero);
  });
  test("of a uniform choice leads to each as often, and what is drawn again is left over", () => {
    const { masses, residual } = enumerateWords(
      (bits) => uniformBelow(3n, bits),
      () => lowBits(2),
      2,
    );
    expect([...masses.values()]).toEqual([ratio(5n, 16n), ratio(5n, 16n), ratio(5n, 16n)]);
    expect(residual).toEqual(ratio(1n, 16n));
    expect(sum([...masses.values(), residual])).toEqual(one);
  });
  test("of a program without words leads to its one outcome", () => {
    expect(
      enumerateWords(
        () => 7,
        () => lowBits(1),
        0,
      ),
    ).toEqual({ masses: new Map([[7, one]]), residual: zero });
  });
  test("of no words at all is left over where one is read", () => {
    expect(
      enumerateWords(
        (bits) => bits.word(),
        () => lowBits(1),
        0,
      ),
    ).toEqual({ masses: new Map(), residual: one });
  });
  test.each<[string, (bits: BitSource) => unknown]>([
    ["first", (bits) => bits.word() >= 3 * quarter],
    ["second", (bits) => [bits.word() & 1, bits.word() >= 2 * quarter].join()],
    ["first, by how much is read", (bits) => (bits.word() >= 3 * quarter ? 0 : bits.word() & 0)],
  ])("shows cells that are wider than what the program tells apart: the %s word", (_, program) => {
    expect(() => enumerateWords(program, () => lowBits(1), 3)).toThrow("words of one cell");
  });
  test("does not hide a program's own failure", () => {
    const failing = (): number => {
      throw new RangeError("its own");
    };
    expect(() => enumerateWords(failing, () => lowBits(1), 2)).toThrow("its own");
  });
});

test("outcomes that are called the same are one outcome", () => {
  const drawn = enumerateWords(
    (bits) => bits.word() & 3,
    () => lowBits(2),
    1,
  );
  expect(lawOf(drawn).masses.get("2")).toEqual({ lo: ratio(1n, 4n), hi: ratio(1n, 4n) });
  const { masses, residual } = lawOf(drawn, (outcome) => (outcome === 0 ? "none" : "some"));
  expect([...masses].map(([name, { lo, hi }]) => [name, lo, hi])).toEqual([
    ["none", ratio(1n, 4n), ratio(1n, 4n)],
    ["some", ratio(3n, 4n), ratio(3n, 4n)],
  ]);
  expect(residual).toEqual(zero);
});
