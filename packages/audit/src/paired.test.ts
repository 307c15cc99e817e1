import { describe, expect, it } from "vitest";
import { memberAt } from "./member-at.ts";
import { paired } from "./paired.ts";

describe("a member at a computed place", () => {
  it("is found, whatever kind of list holds it", () => {
    expect(memberAt(["a", "b"], 1)).toBe("b");
    expect(memberAt(Float64Array.of(0, 0.5), 0)).toBe(0);
    expect(memberAt([null], 0)).toBeNull();
  });

  it("is an error where there is none", () => {
    for (const at of [-1, 2, 0.5, Number.NaN]) {
      expect(() => memberAt([0, 0], at)).toThrow(expect.objectContaining({ code: "internal.invariant" }));
    }
  });
});

describe("two lists side by side", () => {
  it("give their members in pairs", () => {
    expect(paired([1, 2], ["a", "b"])).toEqual([
      [1, "a"],
      [2, "b"],
    ]);
    expect(paired([], [])).toEqual([]);
  });

  it("must be of one length", () => {
    const refusal = expect.objectContaining({ code: "internal.invariant" });
    expect(() => paired([1, 2], [1])).toThrow(refusal);
    expect(() => paired([1], [1, 2])).toThrow(refusal);
  });
});
