import { expect, it } from "vitest";
import { rowOffsets } from "./row-offsets.ts";

it("counts the last level fastest, whatever the distances", () => {
  const offsets = rowOffsets({ count: 2, bytes: 100 }, { count: 2, bytes: 8 }, { count: 3, bytes: 12 });
  expect([...offsets]).toEqual([0, 12, 24, 8, 20, 32, 100, 112, 124, 108, 120, 132]);
  expect([...rowOffsets({ count: 1, bytes: 9 })]).toEqual([0]);
});
