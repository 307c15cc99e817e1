import { describe, expect, test } from "vitest";
import type { AttackResult } from "../attacks/attack.ts";
import { attackRow } from "./attack-row.ts";
import { verdictOf } from "./audit-row.ts";

const lethe: AttackResult = {
  attack: "differencing",
  service: "Lethe, ε = 1",
  measure: "right guesses",
  value: 0.61,
  interval: [0.55, 0.67],
  trials: 400,
  blind: 0.5,
  ceiling: 0.731,
  control: null,
  note: null,
};
const naive: AttackResult = { ...lethe, service: "exact answers", ceiling: null, control: 0.65 };

describe("a row of an attack", () => {
  test("says what was measured beside what is allowed", () => {
    expect(attackRow(lethe)).toMatchObject({
      subject: "differencing: Lethe, ε = 1",
      claim: "at most 73.1 %, blind guessing 50 %",
      measured: "61 % right guesses, in [55 %, 67 %]",
      interval: [0.55, 0.67],
      ceiling: 0.731,
    });
    expect(attackRow({ ...lethe, interval: [2, 2], value: 2, ceiling: 0, blind: 0 })).toMatchObject({
      claim: "at most 0",
      measured: "right guesses: 2 of 400",
      finding: "the attack succeeds more often than ε allows",
    });
  });

  test("says how sure it is, unless there is a remark", () => {
    expect(attackRow({ ...lethe, trials: 4_000 }).how).toBe("4,000 trials, Clopper–Pearson");
    expect(attackRow({ ...lethe, interval: [0.5, 0.5] }).how).toBe("all counted");
    expect(attackRow({ ...lethe, note: "seen" }).how).toBe("seen");
    expect(attackRow({ ...naive, control: null }).claim).toBe("none, blind guessing 50 %");
    expect(attackRow(naive)).toMatchObject({
      claim: "none: the attack must reach 65 %, blind guessing 50 %",
      finding: "the attack succeeds, as it must",
    });
  });

  test.each([
    ["none: the attack must succeed", 1],
    ["none", null],
  ])("of what is counted without a ceiling: %s", (claim, control) => {
    const counted: AttackResult = { ...naive, interval: [9, 9], value: 9, control };
    expect(attackRow(counted)).toMatchObject({ claim, measured: "right guesses: 9 of 400" });
  });

  test.each([
    ["stands", lethe],
    ["finding", { ...lethe, ceiling: 0.54 }],
    ["caught", naive],
    ["missed", { ...naive, control: 0.68 }],
    ["told", { ...naive, control: null }],
  ])("%s", (verdict, result) => {
    expect(verdictOf(attackRow(result))).toBe(verdict);
  });
});
