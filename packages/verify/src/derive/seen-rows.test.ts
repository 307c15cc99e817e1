import type { Plan } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { hidden } from "./released/released-value.ts";
import { keySeen } from "./seen-rows.ts";

const plan = { groupings: [["ward", "kind"], ["ward"], []] } as unknown as Plan;
const value = (key: string): string => `a ${key}`;
const seen = (mark: Parameters<typeof keySeen>[1]): readonly unknown[] => {
  const of = keySeen(plan, mark, value);
  return (["key", "grouped-away", "other"] as const).flatMap((kind) =>
    ["ward", "kind"].map((key) => of({ kind, key })),
  );
};

describe("the keys of a row, whether each is grouped away, and whether the row stands for all other values", () => {
  it.each<[string, Parameters<typeof keySeen>[1], readonly unknown[]]>([
    ["a row of the finest grouping", { grouping: 0, over: null }, ["a ward", "a kind", 0, 0, 0, 0]],
    ["a total over the second key", { grouping: 1, over: null }, ["a ward", null, 0, 1, 0, 0]],
    ["a total over all", { grouping: 2, over: null }, [null, null, 1, 1, 0, 0]],
    ["what is left of the second key's groups", { grouping: 0, over: 1 }, ["a ward", null, 0, 0, 0, 1]],
    ["a row whose grouping is not told", null, ["a ward", "a kind", hidden, hidden, hidden, hidden]],
  ])("%s", (_, mark, expected) => {
    expect(seen(mark)).toEqual(expected);
  });
});
