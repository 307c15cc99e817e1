import { describe, expect, it } from "vitest";
import type { KeyValue } from "../exact/exact-rows.ts";
import { canonicalKey, compareKeys } from "./key-order.ts";

describe("the order of keys", () => {
  it("is null, booleans, integers, doubles, texts; each by value, NaN last of the doubles", () => {
    const ordered: readonly KeyValue[] = [
      null,
      false,
      true,
      -5n,
      2n,
      10n,
      Number.NEGATIVE_INFINITY,
      -1.5,
      0,
      2,
      10,
      Number.POSITIVE_INFINITY,
      Number.NaN,
      "",
      "10",
      "2",
      "Z",
      "a",
      "é",
    ];
    for (const [i, a] of ordered.entries()) {
      for (const [j, b] of ordered.entries()) {
        expect(Math.sign(compareKeys([a], [b])), `${String(a)} and ${String(b)}`).toBe(Math.sign(i - j));
      }
    }
  });

  it("is decided by the first value that differs, then by the number of values", () => {
    expect(compareKeys(["a", 9n], ["b", 1n])).toBeLessThan(0);
    expect(compareKeys(["a", 9n], ["a", 1n])).toBeGreaterThan(0);
    expect(compareKeys([1n], [1n, 5n])).toBeLessThan(0);
    expect(compareKeys([1n, 5n], [1n])).toBeGreaterThan(0);
    expect(compareKeys([1n], [1n, null])).toBeLessThan(0);
    expect(compareKeys([1n, null], [1n])).toBeGreaterThan(0);
    expect(compareKeys([], [])).toBe(0);
    expect(compareKeys([1n, "x"], [1n, "x"])).toBe(0);
  });

  it("takes both zeros for one key, and what is written alike in two types for two", () => {
    expect(compareKeys([0], [-0])).toBe(0);
    expect(canonicalKey([-0])).toBe(canonicalKey([0]));
    const alike: readonly KeyValue[] = [1n, 1, "1", true, "true", null, "null"];
    expect(new Set(alike.map((value) => canonicalKey([value]))).size).toBe(alike.length);
    expect(canonicalKey(["a", "b"])).not.toBe(canonicalKey(["a,4:b"]));
  });
});
