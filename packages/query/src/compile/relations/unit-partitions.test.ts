import { expect, it } from "vitest";
import type { TableRelation } from "../../relations/relation.ts";
import type { TableStorage } from "../stored/storage-of.ts";
import { unitPartitions } from "./unit-partitions.ts";

/* Which tables may be computed part by part. That the answers are the same is shown on PostgreSQL, in testing/src/postgres. */

const owned = (table: string, column: string, path: readonly object[] = []): TableRelation =>
  ({
    kind: "table",
    table,
    source: table,
    unit: { kind: "column", column, path, names: { table: "people", column: "id" } },
    oncePer: null,
    columns: {},
  }) as unknown as TableRelation;
const open: TableRelation = { ...owned("kinds", "kind"), unit: { kind: "public" } };

const storage = (table: string, column: string, count: number, placement = "rule"): TableStorage => ({
  relation: ["public", table],
  layout: "raw",
  partitions: {
    column,
    placement,
    relations: Array.from({ length: count }, (_, at) => ["public", `${table}_${at}`]),
  },
});
const people = storage("people", "id", 3);
const visits = storage("visits", "person", 3);
const kinds: TableStorage = { relation: ["public", "kinds"], layout: "raw" };

/** The relations that each part reads. */
function parts(
  storages: Readonly<Record<string, TableStorage>>,
  relations: readonly TableRelation[],
  plan: object = {},
): readonly string[] {
  const [first, ...others] = relations;
  const from = others.reduce<object>((left, right) => ({ kind: "join", left, right }), first!);
  const contribution = { limit: "groups-after-filter" };
  const asked = { from, unit: { kind: "column" }, contribution, sums: [], ...plan };
  return unitPartitions(
    asked as unknown as Parameters<typeof unitPartitions>[0],
    (table) => storages[table]!,
  ).map((of) =>
    Object.keys(storages)
      .map((table) => of(table).relation.at(-1))
      .join(" "),
  );
}

it("reads of each table the part with the same units, and public tables whole", () => {
  expect(parts({ people, visits, kinds }, [owned("people", "id"), owned("visits", "person"), open])).toEqual([
    "people_0 visits_0 kinds",
    "people_1 visits_1 kinds",
    "people_2 visits_2 kinds",
  ]);
});

it("reads tables whole unless all lie apart by the unit, and by one rule", () => {
  const both = [owned("people", "id"), owned("visits", "person")];
  const whole = ["people visits"];
  expect(parts({ people, visits: storage("visits", "day", 3) }, both)).toEqual(whole);
  expect(parts({ people, visits: storage("visits", "person", 3, "another rule") }, both)).toEqual(whole);
  expect(parts({ people, visits: { relation: ["public", "visits"], layout: "raw" } }, both)).toEqual(whole);
  expect(parts({ people, visits: { ...visits, layout: "snapshot" } }, both)).toEqual(whole);
  const through = owned("visits", "person", [{ table: "people", key: "number", column: "id" }]);
  expect(parts({ people, visits }, [owned("people", "id"), through])).toEqual(whole);
  expect(parts({ people, visits }, both, { unit: { kind: "row" } })).toEqual(whole);
});

it("takes from 2 to 64 parts", () => {
  const of = (count: number): number =>
    parts({ visits: storage("visits", "person", count) }, [owned("visits", "person")]).length;
  expect([1, 2, 64, 65].map(of)).toEqual([1, 2, 64, 1]);
});

it("reads tables whole where one flat aggregate tells values apart", () => {
  const sums = [{ kind: "distinct", name: "s", most: 1 }];
  const of = (limit: string): number =>
    parts({ visits }, [owned("visits", "person")], { contribution: { limit }, sums }).length;
  expect(of("groups-after-filter")).toBe(3);
  expect(of("rows-before-filter")).toBe(1);
});
