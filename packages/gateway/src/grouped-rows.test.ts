import type { KeyValue, NoisyGroup } from "@lethe/core";
import type { Plan } from "@lethe/query";
import { expect, it } from "vitest";
import { groupedRows } from "./grouped-rows.ts";

const key = (name: string, type: string) => ({ kind: "column", name, domain: { type, nullable: true } });
const plan = {
  keys: { expressions: [key("age", "integer"), key("name", "text")], program: { kind: "private" } },
} as unknown as Plan;
const group = (of: readonly KeyValue[], count: bigint) =>
  ({ key: of, values: [count], trees: [] }) as unknown as NoisyGroup;

it("keys that are written alike and are not the same stay groups of their own", () => {
  const groups = [
    group([3n, "null"], 10n),
    group([3n, null], 20n),
    group([null, "3"], 30n),
    group([3n, "3"], 40n),
    group([33n, ""], 50n),
  ];
  const rows = groupedRows(groups, [], plan);
  expect(rows.map(({ key, values }) => [key, values])).toEqual(
    groups.map(({ key, values }) => [key, values]),
  );
  expect(rows.map(({ noise }) => noise)).toEqual(groups.map(() => [{ level: 0, draws: 1 }]));
});
