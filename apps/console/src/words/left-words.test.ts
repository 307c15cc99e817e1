import { expect, test } from "vitest";
import { isLarge, leastLeft, leftOf, numberOf } from "./left-words.ts";

const period = (per: string, granted: string | null, spent: string | null) => ({
  per,
  granted,
  spent,
  delta: null,
});

test("the least of the caps that are shown counts", () => {
  const scopes = [
    { name: "the account", periods: [period("lifetime", "100", null)] },
    { name: "analyst ada", periods: [period("lifetime", "10", "9/2"), period("day", "1", "1/4")] },
  ];
  expect(leastLeft({ scopes })).toBe(0.75);
  expect(leastLeft({ scopes: scopes.slice(0, 1) })).toBeNull();
});

test("nothing is left below zero, and nothing is told of what is not shown", () => {
  expect(leftOf({ granted: "1", spent: "3/2" })).toBe(0);
  expect(leftOf({ granted: null, spent: "1" })).toBeNull();
});

test("a price above a tenth of what is left is large", () => {
  const price = { measure: "pure", epsilon: "1/10" } as const;
  expect([isLarge(price, 0.99), isLarge(price, 1), isLarge(price, null), isLarge(price, 0)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(isLarge({ measure: "zcdp", rho: "1/2" }, 1)).toBe(true);
  expect(numberOf("7")).toBe(7);
});
