import type { OverRelation, OverValue, PostExpression } from "@lethe/query";
import { describe, expect, it } from "vitest";
import type { Seen } from "../derive/released/released-value.ts";
import { ascending, call, descending, key, literal, madeOf, valuesOf, windowOf } from "../testing/made-of.ts";
import { overRows } from "./over-rows.ts";
import { stepsLeft, Unmade } from "./unmade.ts";

const answer = madeOf(
  ["ward", "n"],
  [
    ["north", 3],
    ["south", null],
    ["north", 5],
    [null, 3],
  ],
);
const of = { kind: "answer" } as const;
const made = (over: OverRelation, from = answer): readonly (readonly Seen[])[] =>
  valuesOf(overRows(over, () => from, stepsLeft()));
const value = (
  name: OverValue["value"]["function"],
  expression: PostExpression | null,
  more: Partial<OverValue["value"]> = {},
): OverValue => ({
  name: `${name} ${JSON.stringify(more)}`,
  value: { function: name, expression, distinct: false, where: null, ...more },
});

describe("the rows over an answer", () => {
  it("are the answer's", () => {
    expect(made(of)).toEqual(valuesOf(answer));
  });

  it("are those where a condition is true, which NULL is not", () => {
    expect(made({ kind: "filtered", of, where: call(">", key("n"), literal(3)) })).toEqual([["north", 5]]);
    expect(made({ kind: "filtered", of, where: literal(null) })).toEqual([]);
  });

  it("show columns, and what is computed of them", () => {
    expect(
      made({
        kind: "shown",
        of,
        columns: [
          { name: "twice", type: "number", expression: call("*", key("n"), literal(2)) },
          { name: "where", type: "text", expression: key("ward") },
        ],
      }),
    ).toEqual([
      [6, "north"],
      [null, "south"],
      [10, "north"],
      [6, null],
    ]);
  });

  it("are one for each combination of values, NULL being one of them", () => {
    const values = [value("count", null), value("count", key("n"), { where: null }), value("sum", key("n"))];
    expect(made({ kind: "grouped", of, by: ["ward"], values })).toEqual([
      ["north", 2, 2, 8],
      ["south", 1, 0, null],
      [null, 1, 1, 3],
    ]);
    expect(made({ kind: "grouped", of, by: ["n", "ward"], values: [] })).toEqual([
      [3, "north"],
      [null, "south"],
      [5, "north"],
      [3, null],
    ]);
  });

  it("are one, of no rows too, where they are grouped by nothing", () => {
    const values = [
      value("count", null),
      value("sum", key("n"), { distinct: true }),
      value("count", key("n"), { distinct: true }),
      value("sum", key("n"), { where: call("=", key("ward"), literal("north")) }),
      value("max", key("ward")),
    ];
    const grouped = { kind: "grouped", of, by: [], values } as const;
    expect(made(grouped)).toEqual([[4, 8, 2, 8, "south"]]);
    expect(made(grouped, madeOf(["ward", "n"], []))).toEqual([[0, null, 0, null, null]]);
    expect(made({ ...grouped, by: ["ward"] }, madeOf(["ward", "n"], []))).toEqual([]);
  });

  it("have the values of windows behind their columns", () => {
    const windows = [windowOf("row_number", []), { ...windowOf("sum", [key("n")]), name: "all" }];
    expect(made({ kind: "windowed", of, windows })).toEqual([
      ["north", 3, 1, 11],
      ["south", null, 2, 11],
      ["north", 5, 3, 11],
      [null, 3, 4, 11],
    ]);
  });

  it("are in an order, from a place on, and so many", () => {
    const ordered = { kind: "ordered", of, orderBy: [ascending("n")], limit: null, offset: 0 } as const;
    expect(made(ordered)).toEqual([
      ["north", 3],
      [null, 3],
      ["north", 5],
      ["south", null],
    ]);
    expect(made({ ...ordered, orderBy: [descending("n")], offset: 1, limit: 2 })).toEqual([
      ["north", 5],
      ["north", 3],
    ]);
    expect(made({ ...ordered, orderBy: [descending("ward"), ascending("n")], offset: 2 })).toEqual([
      ["north", 3],
      ["north", 5],
    ]);
    expect(made({ ...ordered, orderBy: [], limit: 0 })).toEqual([]);
    expect(made({ ...ordered, orderBy: [], offset: 9 })).toEqual([]);
  });

  it("are each once", () => {
    const columns = [{ name: "n", type: "number", expression: key("n") }] as const;
    expect(made({ kind: "distinct", of: { kind: "shown", of, columns } })).toEqual([[3], [null], [5]]);
  });

  it("are those of all parts", () => {
    const where = call("is-null", key("n"));
    expect(made({ kind: "union", parts: [{ kind: "filtered", of, where }, of] })).toEqual([
      ["south", null],
      ...valuesOf(answer),
    ]);
  });
});

describe("rows that are joined", () => {
  const rows = madeOf(
    ["w", "m"],
    [
      ["a", 1],
      ["b", 2],
      [null, 3],
    ],
  );
  const times = (name: string, factor: number): PostExpression => call("*", key(name), literal(factor));
  const right: OverRelation = {
    kind: "shown",
    of: { kind: "filtered", of, where: call("<>", key("m"), literal(2)) },
    columns: [
      { name: "v", type: "text", expression: key("w") },
      { name: "k", type: "number", expression: times("m", 2) },
    ],
  };
  const joined = (
    type: "inner" | "left" | "right" | "full",
    on: PostExpression | null,
  ): readonly (readonly Seen[])[] => made({ kind: "joined", type, left: of, right, on }, rows);
  const equal = call("=", key("v"), key("w"));
  const pair = ["a", 1, "a", 2];

  it("are the pairs that agree; NULL agrees with nothing", () => {
    expect(joined("inner", equal)).toEqual([pair]);
    expect(joined("inner", call("and", call(">", key("m"), literal(1)), equal))).toEqual([]);
  });
  it("keep those of a side that meet none", () => {
    const ofLeft = [
      ["b", 2, null, null],
      [null, 3, null, null],
    ];
    const ofRight = [[null, null, null, 6]];
    expect(joined("left", equal)).toEqual([pair, ...ofLeft]);
    expect(joined("right", equal)).toEqual([pair, ...ofRight]);
    expect(joined("full", equal)).toEqual([pair, ...ofLeft, ...ofRight]);
  });
  it("are all pairs without a condition, and those that any condition keeps", () => {
    expect(joined("inner", null)).toHaveLength(6);
    expect(joined("inner", call("=", key("m"), call("/", key("k"), literal(1))))).toEqual([["b", 2, "a", 2]]);
    expect(joined("left", call(">", key("k"), times("m", 3)))).toEqual([
      ["a", 1, null, 6],
      ["b", 2, null, null],
      [null, 3, null, null],
    ]);
  });
  it("are kept each for itself where the right has one twice", () => {
    const twice: OverRelation = { kind: "union", parts: [right, right] };
    const over: OverRelation = { kind: "joined", type: "full", left: of, right: twice, on: literal(false) };
    expect(made(over, rows)).toHaveLength(3 + 4);
  });
});

describe("what rests on rounding is not made", () => {
  const close = madeOf(["x"], [[1], [1 + 2 ** -45]]);
  const isMore = call(">", key("x"), literal(1));
  it.each<[string, OverRelation]>([
    ["a condition", { kind: "filtered", of, where: isMore }],
    ["an order", { kind: "ordered", of, orderBy: [ascending("x")], limit: null, offset: 0 }],
    ["a group", { kind: "grouped", of, by: ["x"], values: [] }],
    [
      "distinct values",
      { kind: "grouped", of, by: [], values: [value("count", key("x"), { distinct: true })] },
    ],
    ["distinct rows", { kind: "distinct", of }],
    ["a partition", { kind: "windowed", of, windows: [windowOf("rank", [], { partitionBy: [key("x")] })] }],
    [
      "a join",
      {
        kind: "joined",
        type: "inner",
        left: of,
        right: { kind: "shown", of, columns: [{ name: "y", type: "number", expression: key("x") }] },
        on: call("<", key("x"), key("y")),
      },
    ],
  ])("%s", (_, over) => {
    expect(() => made(over, close)).toThrow(Unmade);
  });
});

it("what is too much is not made", () => {
  const rows = madeOf(
    ["x"],
    Array.from({ length: 1001 }, (_, at) => [at]),
  );
  const right: OverRelation = {
    kind: "shown",
    of,
    columns: [{ name: "y", type: "number", expression: key("x") }],
  };
  const join: OverRelation = { kind: "joined", type: "inner", left: of, right, on: null };
  expect(() => made(join, rows)).toThrow("more than 1000000 rows");
  // Where columns are equal, no other pair is looked at.
  expect(made({ ...join, on: call("=", key("y"), key("x")) }, rows)).toHaveLength(1001);
  expect(() => overRows({ kind: "distinct", of }, () => rows, stepsLeft(1000))).toThrow("more steps");
});
