import { describe, expect, it } from "vitest";
import type { Expression } from "../expressions/expression.ts";
import type { UnitPath } from "../policy/unit-path.ts";
import { ownsOneRow } from "./owns-one-row.ts";
import {
  allSources,
  conditionsOf,
  type JoinRelation,
  mapTables,
  namesEveryUnit,
  ownerOf,
  policyOf,
  type Relation,
  shownSources,
  sourcesRead,
  type TableRelation,
  tablesOf,
  unitNames,
} from "./relation.ts";

const boolean = { type: "boolean", nullable: false } as const;
const column = (source: string, name = "x"): Expression => ({
  kind: "column",
  source,
  name,
  domain: boolean,
});
const x = { type: "boolean", nullable: true, default: null } as const;
const made = { type: "integer", nullable: true, bounds: null, categories: null, default: null } as const;

function table(source: string, unit: UnitPath): TableRelation {
  return { kind: "table", table: source.toUpperCase(), source, unit, oncePer: null, columns: { x } };
}
const people = { table: "people", column: "id" };
const own: UnitPath = { kind: "column", column: "id", path: [], names: people };
const led: UnitPath = {
  kind: "column",
  column: "visit",
  path: [{ table: "visits", key: "id", column: "person" }],
  names: people,
};
const a = table("a", own);
const b = table("b", led);
const open = table("open", { kind: "public" });
const rows = table("rows", { kind: "row" });

function join(left: Relation, right: Relation, type: JoinRelation["type"] = "inner"): JoinRelation {
  return { kind: "join", type, left, right, keys: [], on: null };
}
const filter = (of: Relation, where: Expression): Relation => ({ kind: "filter", of, where });
const semijoin = (of: Relation, among: Relation, on: Expression): Relation => ({
  kind: "semijoin",
  of,
  among,
  on,
  not: false,
});
const union = (...parts: readonly Relation[]): Relation => ({
  kind: "union",
  source: "u",
  columns: { made },
  parts: parts.map((of, at) => ({ of, values: { made: column("a", `v${at}`) } })),
});
const grouped = (of: Relation, keys: Readonly<Record<string, Expression>> = {}): Relation => ({
  kind: "grouped",
  source: "g",
  columns: { made },
  of,
  keys,
  values: { n: { kind: "count", argument: null }, m: { kind: "max", argument: column("a", "value") } },
});
const windowed = (of: Relation): Relation => ({
  kind: "windowed",
  source: "w",
  columns: { made },
  of,
  values: {
    made: {
      value: { kind: "lag", argument: column("a", "lagged"), by: 1 },
      partition: [column("a", "part")],
      order: [{ by: column("a", "order"), descending: false, nullsFirst: false }],
      frame: null,
    },
  },
});

const everything = join(
  filter(semijoin(windowed(a), open, column("open", "on")), column("a", "where")),
  union(b, grouped(a, { k: column("a", "key") })),
);
const sourceNames = (sources: readonly { readonly source: string | null }[]): readonly (string | null)[] =>
  sources.map(({ source }) => source);

describe("a relation", () => {
  it("lists its tables from left to right, those of conditions too", () => {
    expect(sourceNames(tablesOf(everything))).toEqual(["a", "open", "b", "a"]);
  });

  it("shows the columns of its rows alone, and reads those of all that it is made of", () => {
    expect(sourceNames(shownSources(everything))).toEqual(["a", "w", "u"]);
    expect(sourceNames(shownSources(join(grouped(b), open)))).toEqual(["g", "open"]);
    expect(sourceNames(allSources(everything))).toEqual(["w", "a", "open", "u", "b", "g", "a"]);
  });

  it("finds a column's policy wherever it is read, and no column that every object has", () => {
    expect(policyOf(everything, { kind: "column", source: "g", name: "made", domain: boolean })).toBe(made);
    expect(policyOf(everything, { kind: "column", source: "open", name: "x", domain: boolean })).toBe(x);
    expect(policyOf({ ...a, source: null }, { kind: "column", name: "x", domain: boolean })).toBe(x);
    for (const [source, name] of [
      ["a", "y"],
      ["nowhere", "x"],
      ["a", "toString"],
    ] as const)
      expect(() => policyOf(everything, { kind: "column", source, name, domain: boolean })).toThrow(
        TypeError,
      );
  });

  it("has every expression that is computed on its rows", () => {
    const read = conditionsOf({ ...everything, on: column("a", "join") } as Relation);
    expect(read.map((each) => each.kind === "column" && each.name)).toEqual([
      "part",
      "order",
      "lagged",
      "on",
      "where",
      "v0",
      "key",
      "value",
      "v1",
      "join",
    ]);
    expect(conditionsOf(a)).toEqual([]);
  });

  it("is given other tables in every part of it", () => {
    const renamed = mapTables(everything, (each) => ({ ...each, source: `${each.source}!` }));
    expect(sourceNames(tablesOf(renamed))).toEqual(["a!", "open!", "b!", "a!"]);
    expect(sourceNames(shownSources(renamed))).toEqual(["a!", "w", "u"]);
    expect(mapTables(everything, (each) => each)).toEqual(everything);
  });
});

describe("the owner of rows", () => {
  it.each<[string, Relation, string]>([
    ["a table whose column names the unit", a, "column"],
    ["a table whose rows are units", rows, "row"],
    ["a public table", open, "public"],
    ["public tables", join(open, open), "public"],
    ["a public table and one with a unit", join(open, b), "column"],
    ["rows as units and a public table", join(rows, open), "row"],
  ])("of %s", (_, relation, owner) => expect(ownerOf(relation)).toBe(owner));

  it("is named by the columns of tables that name it themselves", () => {
    expect(unitNames(join(a, b))).toEqual(["id"]);
    expect(unitNames(b)).toEqual([]);
    expect(unitNames(open)).toEqual([]);
    expect(unitNames(join(rows, open))).toBe(null);
  });
});

describe("a column names the unit of every row", () => {
  const key = { source: "a", column: "id" };
  it.each<[string, Relation, boolean]>([
    ["in its own table", a, true],
    ["in filtered rows", filter(semijoin(a, open, column("open")), column("a")), true],
    ["on each side of an inner join", join(b, a), true],
    ["on the kept side of a left join", join(a, b, "left"), true],
    ["not on the other side of a left join", join(b, a, "left"), false],
    ["on the kept side of a right join", join(b, a, "right"), true],
    ["not on the other side of a right join", join(a, b, "right"), false],
    ["not on the left of a full join", join(a, b, "full"), false],
    ["not on the right of a full join", join(b, a, "full"), false],
    ["not behind a union", union(a, a), false],
    ["not behind groups", grouped(a), false],
    ["not behind windows", windowed(a), false],
    ["not in a table that only leads to it", { ...b, source: "a", unit: { ...led, column: "id" } }, false],
    ["not where rows are units", { ...rows, source: "a" }, false],
  ])("%s", (_, relation, names) => expect(namesEveryUnit(relation, key)).toBe(names));

  it("only under its own name and source", () => {
    expect(namesEveryUnit(a, { source: "a", column: "x" })).toBe(false);
    expect(namesEveryUnit(a, { source: "b", column: "id" })).toBe(false);
  });
});

describe("a unit has one row at most", () => {
  it.each<[string, Relation, boolean]>([
    ["where rows are units", rows, true],
    ["not where a column names the unit", a, false],
    ["not in a public table", open, false],
    [
      "among filtered rows that are units",
      filter(semijoin(windowed(rows), open, column("open")), column("a")),
      true,
    ],
    [
      "not among filtered rows of units",
      filter(semijoin(windowed(a), open, column("open")), column("a")),
      false,
    ],
    ["where it is grouped by nothing else", grouped(a), true],
    ["not where it is grouped by more", grouped(a, { k: column("a") }), false],
    ["not in a union", union(rows, rows), false],
    ["where rows that are units meet a public table", join(rows, open), true],
    ["where a public table meets rows that are units", join(open, rows, "right"), true],
    ["in an inner join of one row with one row", join(grouped(a), grouped(b)), true],
    ["in a left join of one row with one row", join(grouped(a), grouped(b), "left"), true],
    ["not in a full join, where both may stay", join(grouped(a), grouped(b), "full"), false],
    ["not where the left has several", join(a, grouped(b)), false],
    ["not where the right has several", join(grouped(a), b), false],
    ["not where a public table may multiply them", join(grouped(a), open), false],
    ["not where they may multiply a public table", join(open, grouped(a)), false],
  ])("%s", (_, relation, one) => expect(ownsOneRow(relation)).toBe(one));
});

it("the sources of an expression are those of all its columns", () => {
  const not: Expression = { kind: "call", operator: "not", args: [column("b")], domain: boolean };
  // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
  const branch = { when: column("a"), then: not };
  const otherwise: Expression = { kind: "column", name: "alone", domain: boolean };
  expect(sourcesRead({ kind: "case", branches: [branch], otherwise, domain: boolean })).toEqual(
    new Set(["a", "b", ""]),
  );
  expect(sourcesRead({ kind: "literal", value: true, domain: boolean })).toEqual(new Set());
});
