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

it("has the text that ledgers hold the hash of: members and analysts in the order of their names", () => {
  expect(balanceText(balance(["zoe", "1/8"], ["ana", "1/2"]))).toBe(
    '{"analysts":[{"granted":"1/2","name":"ana","spent":"0"},{"granted":"1/8","name":"zoe","spent":"0"}],' +
      '"failureCap":9,"failures":0,"granted":{"epsilon":"1","measure":"pure"},"measure":"pure","open":0,' +
      '"policyHash":"ab","spent":{"epsilon":"1/3","measure":"pure"}}',
  );
});
