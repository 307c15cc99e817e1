import { describe, expect, it } from "vitest";
import { paired } from "./paired.ts";

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
