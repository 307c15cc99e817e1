import type { KeyValue, NoisyGroup } from "@lethe/core/mechanisms";
import { type Plan, readPolicy } from "@lethe/query";
import { expect, it } from "vitest";
import { planText } from "../resolved-question.ts";
import { optionsOf } from "../testing/open-house.ts";
import { rowPolicy } from "../testing/visits.ts";
import { groupedRows } from "./grouped-rows.ts";

const key = (name: string, type: string) => ({
  name,
  expression: { kind: "column", name, domain: { type, nullable: true } },
});
const plan = {
  keys: { parts: [key("age", "integer"), key("name", "text")], program: { kind: "private" } },
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
  expect(rows.map(({ keys, values }) => [[...keys.values()], values])).toEqual(
    groups.map(({ key, values }) => [key, values]),
  );
  expect(rows.map(({ noise }) => noise)).toEqual(groups.map(() => [{ level: 0, draws: 1 }]));
});

it("what is left of each total beside its released groups is their difference, with the noise of all of them", async () => {
  const policy = readPolicy(rowPolicy("{ measure: approximate, epsilon: 10, delta: 1e-3 }"));
  const text = "SELECT city, person, COUNT(*), SUM(stay) FROM visits GROUP BY ROLLUP (city, person)";
  const rollup = await planText(text, optionsOf({ delta: "1e-6" }), policy);
  const row = (key: readonly KeyValue[], ...values: readonly bigint[]) =>
    ({ key, values, trees: [] }) as unknown as NoisyGroup;
  const rows = groupedRows(
    [row(["Ur", "p1"], 10n, 1n), row(["Ur", "p2"], 20n, 2n), row(["Kish", "p1"], 5n, -7n)],
    [[row(["Ur"], 40n, 30n), row(["Kish"], 6n, -5n), row(["Nippur"], 3n, 4n)], [row([], 100n, 200n)]],
    rollup,
  );
  const told = rows.map(({ keys, away, others, values, noise, grouping }) => [
    [...keys.values()],
    ["city", "person"].map((name) => Number(away.has(name))),
    ["city", "person"].map((name) => Number(others.has(name))),
    values,
    noise.map(({ level, draws }) => `${draws} of level ${level}`),
    [grouping.grouping, grouping.over],
  ]);
  expect(told).toEqual([
    [["Ur", "p1"], [0, 0], [0, 0], [10n, 1n], ["1 of level 0"], [0, null]],
    [["Ur", "p2"], [0, 0], [0, 0], [20n, 2n], ["1 of level 0"], [0, null]],
    [["Kish", "p1"], [0, 0], [0, 0], [5n, -7n], ["1 of level 0"], [0, null]],
    [
      ["Ur", null],
      [0, 0],
      [0, 1],
      [10n, 27n],
      ["1 of level 1", "2 of level 0"],
      [0, 1],
    ],
    [
      ["Kish", null],
      [0, 0],
      [0, 1],
      [1n, 2n],
      ["1 of level 1", "1 of level 0"],
      [0, 1],
    ],
    // None of its groups was released: all of it is left.
    [["Nippur", null], [0, 0], [0, 1], [3n, 4n], ["1 of level 1"], [0, 1]],
    [["Ur", null], [0, 1], [0, 0], [40n, 30n], ["1 of level 1"], [1, null]],
    [["Kish", null], [0, 1], [0, 0], [6n, -5n], ["1 of level 1"], [1, null]],
    [["Nippur", null], [0, 1], [0, 0], [3n, 4n], ["1 of level 1"], [1, null]],
    [
      [null, null],
      [0, 1],
      [1, 0],
      [51n, 171n],
      ["1 of level 2", "3 of level 1"],
      [1, 2],
    ],
    [[null, null], [1, 1], [0, 0], [100n, 200n], ["1 of level 2"], [2, null]],
  ]);
});

it("totals over public keys are the sums of their groups, with the noise of each", async () => {
  const policy = readPolicy(
    rowPolicy("{ measure: approximate, epsilon: 10, delta: 1e-3 }").replace(
      "stay: { type: integer, bounds: [-4, 9] }",
      "stay: { type: integer, categories: [1, 2], default: 1 }",
    ),
  );
  const text = "SELECT ward, stay, COUNT(*), SUM(cost) FROM visits GROUP BY CUBE (ward, stay)";
  const cube = await planText(text, optionsOf({}), policy);
  const groups = (["north", "south"] as const).flatMap((ward, at) =>
    [1n, 2n].map(
      (stay) =>
        ({
          key: [ward, stay],
          values: [BigInt(at + 1) * 10n + stay, stay],
          trees: [],
        }) as unknown as NoisyGroup,
    ),
  );
  const told = groupedRows(groups, [], cube).map(({ keys, values, noise }) => [
    [...keys.values()],
    values,
    noise,
  ]);
  const draws = (of: number) => [{ level: 0, draws: of }];
  expect(told.slice(4)).toEqual([
    [["north", null], [23n, 3n], draws(2)],
    [["south", null], [43n, 3n], draws(2)],
    [[null, 1n], [32n, 2n], draws(2)],
    [[null, 2n], [34n, 4n], draws(2)],
    [[null, null], [66n, 6n], draws(4)],
  ]);
});
