import { expect, test } from "vitest";
import { normalTailBracket } from "../../numeric/bracket.ts";
import { one } from "../../numeric/rational.ts";
import { normalTailAtMost } from "./normal-tail-at-most.ts";

test("tells a bound from the tail to 900 bits, and counts a closer tie as no", () => {
  const near = normalTailBracket(one, 900);
  expect(normalTailAtMost(one, near.hi)).toBe(true);
  expect(normalTailAtMost(one, near.lo)).toBe(false);
  // True by less than 2^−1500: more than is looked at.
  expect(normalTailAtMost(one, normalTailBracket(one, 1500).hi)).toBe(false);
});
