import { describe, expect, it } from "vitest";
import { addAt, bigintAt, byteAt, doubleAt, elementAt, intAt, lastElement, wordAt } from "./element-at.ts";

const broken = expect.objectContaining({ code: "internal.invariant" });

describe("elements of lists", () => {
  it("are read from lists of any kind", () => {
    expect(elementAt([7n, 0n], 1)).toBe(0n);
    expect(elementAt(["", "b"], 0)).toBe("");
    expect(elementAt([true, false], 1)).toBe(false);
    expect(elementAt(Uint8Array.of(3, 0), 1)).toBe(0);
    expect(byteAt(Uint8Array.of(3, 0), 1)).toBe(0);
    expect(wordAt(Uint32Array.of(3, 0), 1)).toBe(0);
    expect(intAt(Int32Array.of(-3, 0), 0)).toBe(-3);
    expect(bigintAt([7n, 0n], 1)).toBe(0n);
    expect(lastElement([1, 2, 0])).toBe(0);
    expect(doubleAt(Float64Array.of(0.5, -0), 1)).toBe(-0);
    expect(doubleAt(Float64Array.of(Number.NaN), 0)).toBeNaN();
  });

  it("grow in place", () => {
    const values = Float64Array.of(1, 0.1);
    addAt(values, 1, 0.2);
    expect([...values]).toEqual([1, 0.1 + 0.2]);
  });

  it.each([-1, 2, 0.5, Number.NaN])("are refused where there is none: %d of two", (index) => {
    const values = Float64Array.of(1, 2);
    expect(() => elementAt([1n, 2n], index)).toThrow(broken);
    expect(() => doubleAt(values, index)).toThrow(broken);
    expect(() => byteAt(Uint8Array.of(1, 2), index)).toThrow(broken);
    expect(() => wordAt(Uint32Array.of(1, 2), index)).toThrow(broken);
    expect(() => intAt(Int32Array.of(1, 2), index)).toThrow(broken);
    expect(() => bigintAt([1n, 2n], index)).toThrow(broken);
    expect(() => addAt(values, index, 1)).toThrow(broken);
    expect([...values]).toEqual([1, 2]);
  });

  it("are refused where the list is empty", () => {
    expect(() => lastElement([])).toThrow(broken);
  });
});
