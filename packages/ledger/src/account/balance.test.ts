import { parseRational } from "@lethe/core";
import { expect, it } from "vitest";
import { type Balance, balanceText, readBalance } from "./balance.ts";

const sub = (granted: string) => ({ granted: parseRational(granted), spent: parseRational("0") });
const balance = (...analysts: readonly [string, string][]): Balance => ({
  measure: "pure",
  failures: 0,
  open: 0,
  failureCap: 9,
  policyHash: "ab",
  stated: null,
  granted: { measure: "pure", epsilon: parseRational("1") },
  spent: { measure: "pure", epsilon: parseRational("1/3") },
  analysts: new Map(analysts.map(([name, granted]) => [name, sub(granted)])),
});

it("has one text, in whatever order its analysts were listed, and is read back from it", () => {
  const texts = [
    balance(["ana", "1/2"], ["mia", "1/4"], ["zoe", "1/8"]),
    balance(["zoe", "1/8"], ["mia", "1/4"], ["ana", "1/2"]),
    balance(["mia", "1/4"], ["zoe", "1/8"], ["ana", "1/2"]),
  ].map(balanceText);
  expect(new Set(texts).size).toBe(1);
  expect(readBalance(texts[0]!)).toEqual(balance(["ana", "1/2"], ["mia", "1/4"], ["zoe", "1/8"]));
  expect(balanceText(balance(["ana", "1/2"], ["mia", "1/8"], ["zoe", "1/4"]))).not.toBe(texts[0]);
});
