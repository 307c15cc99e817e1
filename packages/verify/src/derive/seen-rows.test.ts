import type { Plan } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { keySeen } from "./seen-rows.ts";

const plan = {
  keys: { expressions: [{}, {}], program: { kind: "none" } },
  groupings: [[0, 1], [0], []],
} as unknown as Plan;
const values = ["a", "b"];
const seen = (mark: Parameters<typeof keySeen>[1]): readonly unknown[] => {
  const at = keySeen(plan, mark, (key) => values[key]!);
  return [0, 1, 2, 3, 4, 5].map((place) => at(place));
};

describe("the keys of a row, whether each is grouped away, and whether the row stands for all other values", () => {
  it.each<[string, Parameters<typeof keySeen>[1], readonly unknown[]]>([
    ["a row of the finest grouping", { grouping: 0, over: null }, ["a", "b", 0, 0, 0, 0]],
    ["a total over the second key", { grouping: 1, over: null }, ["a", null, 0, 1, 0, 0]],
    ["a total over all", { grouping: 2, over: null }, [null, null, 1, 1, 0, 0]],
    ["what is left of the second key's groups", { grouping: 0, over: 1 }, ["a", null, 0, 0, 0, 1]],
  ])("%s", (_, mark, expected) => {
    expect(seen(mark)).toEqual(expected);
  });

  it("where there is one grouping alone, as they are", () => {
    expect(keySeen(plan, null, (key) => values[key]!)(1)).toBe("b");
  });
});
