import { describe, expect, test } from "vitest";
import { type AttackResult, isFinding, judgedEnds } from "./attack.ts";

const result = (
  interval: readonly [number, number],
  ceiling: number | null,
  control: number | null,
): AttackResult => ({
  attack: "",
  service: "",
  measure: "",
  value: interval[0],
  interval,
  trials: 1,
  blind: 0,
  ceiling,
  control,
  note: null,
});

describe("a result of an attack", () => {
  test.each<[string, readonly [number, number], number | null, number | null, boolean]>([
    ["at its ceiling", [0.7, 0.8], 0.7, null, false],
    ["surely above its ceiling", [0.71, 0.8], 0.7, null, true],
    ["below its ceiling", [0.1, 0.2], 0.7, null, false],
    ["not known", [Number.NaN, Number.NaN], 0.7, null, true],
    ["perhaps as high as its control", [0.7, 0.8], null, 0.8, false],
    ["surely below its control", [0.7, 0.79], null, 0.8, true],
    ["above its control", [0.9, 1], null, 0.8, false],
    ["not known of a control", [Number.NaN, Number.NaN], null, 0.8, true],
    ["that claims nothing", [0.9, 1], null, null, false],
    ["between both", [0.5, 0.6], 0.5, 0.6, false],
  ])("%s", (_, interval, ceiling, control, finding) => {
    expect(isFinding(result(interval, ceiling, control))).toBe(finding);
  });
  test("is judged by an end for its ceiling and one for its control, unless it was counted", () => {
    const ends = (lo: number, hi: number, ...of: readonly (number | null)[]) =>
      judgedEnds(result([lo, hi], of[0]!, of[1]!));
    expect([ends(0, 1, 1, null), ends(0, 1, null, 1), ends(0, 1, 1, 1), ends(0, 1, null, null)]).toEqual([
      1, 1, 2, 0,
    ]);
    expect(ends(1, 1, 1, 1)).toBe(0);
  });
});
