import { describe, expect, it } from "vitest";
import { firstAbove } from "./first-above.ts";

describe("the first number above in a rising list", () => {
  it("is the one that a walk from the beginning meets", () => {
    for (const list of [[], [1], [1, 2, 2, 5], [-1, -1, 0, 3, 3, 3, 8]]) {
      for (let cut = -2; cut <= 9; cut += 1) {
        const walked = list.findIndex((x) => x >= cut);
        expect(firstAbove(Float64Array.from(list), (x) => x >= cut)).toBe(walked < 0 ? list.length : walked);
      }
    }
  });
});
