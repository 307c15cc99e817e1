import { expect, test } from "vitest";
import { downwards, lossWords, upwards } from "./loss-words.ts";

test.each([
  ["1/3", "0.3334", "0.3333"],
  ["2/3", "0.6667", "0.6666"],
  ["1/2", "0.5", "0.5"],
  ["7/10", "0.7", "0.7"],
  ["1/1000000", "0.000001", "0.000001"],
  ["123457", "123500", "123400"],
  ["0", "0", "0"],
])("%s is %s where it is spent, and %s where it is left", (fraction, spent, left) => {
  expect([upwards(fraction), downwards(fraction)]).toEqual([spent, left]);
});

test("a loss in a line is written upwards, unless it is what is left", () => {
  const third = { measure: "approximate", epsilon: "1/3", delta: "0" } as const;
  expect([lossWords(third), lossWords(third, downwards)]).toEqual(["ε 0.3334", "ε 0.3333"]);
});
