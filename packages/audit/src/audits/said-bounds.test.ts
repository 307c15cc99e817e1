import { expect, test } from "vitest";
import { saidBound, saidShare } from "./said-bounds.ts";

test("a point's bound, and a curve's share with what that is at a point", () => {
  expect(saidBound({ epsilon: 0.8, claimed: 1 })).toBe("ε ≥ 0.800, where 1.000 is claimed");
  expect(saidShare({ epsilon: 0.5, claimed: 2 })).toBe("ε ≥ 0.250 times its curve (0.500 of 2.000)");
});
