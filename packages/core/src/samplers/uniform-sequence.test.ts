import { expect, test } from "vitest";
import { enumerateWords, lowBits } from "../../../../testing/src/contracts/enumerate-words.ts";
import { SeededSource } from "../tape.ts";
import { uniformSequence } from "./uniform-sequence.ts";

test.each([
  [2, 4, 12n],
  [4, 4, 24n],
])("every sequence of %i out of %i has the same mass", (length, n, sequences) => {
  const { masses } = enumerateWords(
    (bits) => uniformSequence(length, n, bits).join(),
    () => lowBits(2),
    5,
  );
  expect(masses.size).toBe(Number(sequences));
  const [first] = masses.values();
  for (const mass of masses.values()) expect(mass).toEqual(first);
});

test("a long sequence has no term twice and stays inside", () => {
  const sequence = uniformSequence(5000, 5000, new SeededSource(3));
  expect([...sequence].sort((a, b) => a - b)).toEqual(Array.from({ length: 5000 }, (_, i) => i));
  expect(uniformSequence(0, 0, new SeededSource(3))).toEqual([]);
});

test.each([
  [3, 2],
  [-1, 2],
  [1.5, 2],
  [1, Number.NaN],
  [Number.NaN, 3],
])("refuses %s out of %s", (length, n) => {
  expect(() => uniformSequence(length, n, new SeededSource(1))).toThrow(
    expect.objectContaining({ code: "parameter.invalid" }),
  );
});
