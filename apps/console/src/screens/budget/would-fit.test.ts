import type { Budget } from "@lethe/client";
import { expect, test } from "vitest";
import { wouldFit } from "./would-fit.ts";

const budget = (granted: string | null, spent: string | null): Budget => ({
  scopes: [{ name: "analyst ada", periods: [{ per: "day", granted, spent, delta: null }] }],
});
const line = (epsilon: string) => ({ price: { measure: "pure", epsilon } as const });

test("questions at the price of the last that cost something are counted", () => {
  expect(wouldFit(budget("1", "1/2"), [line("0"), line("1/10"), line("1")])).toBe(
    "5 more questions at 0.1 each, the price of your last one, would fit.",
  );
  expect(wouldFit(budget("1", "1/2"), [line("1/2")])).toMatch(/^1 more question at 0.5/);
  expect(wouldFit(budget("1", "3/4"), [line("1/2")])).toMatch(/^No question at 0.5/);
});

test("nothing is told where no cap is shown, or nothing was asked", () => {
  expect(wouldFit(budget(null, "1"), [line("1")])).toBeNull();
  expect(wouldFit(budget("1", "0"), [])).toBeNull();
});
