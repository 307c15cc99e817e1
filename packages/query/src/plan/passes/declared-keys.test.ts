import { expect, it } from "vitest";
import { declaredKeys, maxPublicKeys } from "./declared-keys.ts";

const upTo = (count: number): readonly bigint[] => Array.from({ length: count }, (_, i) => BigInt(i));

it("are all combinations, the last key moving fastest", () => {
  expect(
    declaredKeys([
      ["a", "b"],
      [1n, null, 2n],
    ]),
  ).toEqual([
    ["a", 1n],
    ["a", null],
    ["a", 2n],
    ["b", 1n],
    ["b", null],
    ["b", 2n],
  ]);
});

it("are one key of nothing where nothing is grouped by, and none where a key has no value", () => {
  expect(declaredKeys([])).toEqual([[]]);
  expect(declaredKeys([["a"], []])).toEqual([]);
});

it("are none where one key is data, wherever it stands", () => {
  for (const lists of [[null], [["a"], null], [null, ["a"]]] as const) expect(declaredKeys(lists)).toBeNull();
});

it("are at most ten thousand", () => {
  expect(maxPublicKeys).toBe(10_000);
  expect(declaredKeys([upTo(10_000)])?.length).toBe(10_000);
  expect(declaredKeys([upTo(10_001)])).toBeNull();
  expect(declaredKeys([upTo(100), upTo(100)])?.length).toBe(10_000);
  expect(declaredKeys([upTo(100), upTo(101)])).toBeNull();
});
