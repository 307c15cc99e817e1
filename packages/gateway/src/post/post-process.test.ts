import type { PostExpression, PostOperator } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { rowKeys } from "../testing/row-keys.ts";
import { evaluate, holds, type PostRow, type PostValue, postOperators } from "./evaluate.ts";
import { postProcess } from "./post-process.ts";

const literal = (value: string | number | boolean | null): PostExpression => ({ kind: "literal", value });
const call = (operator: PostOperator, ...args: PostExpression[]): PostExpression => ({
  kind: "call",
  operator,
  args,
});
const aggregate: PostExpression = { kind: "aggregate", aggregate: "n" };
const key: PostExpression = { kind: "key", key: "k" };
const empty: PostRow = { ...rowKeys(), aggregates: new Map() };
const row = (name: PostValue, value: number | null): PostRow => ({
  ...rowKeys({ k: name }),
  aggregates: new Map([["n", value]]),
});

describe("evaluate", () => {
  it.each<[PostOperator, (string | number | boolean | null)[], PostValue]>([
    ["+", [1, 2], 3],
    ["-", [1, 2], -1],
    ["*", [3, 2], 6],
    ["/", [3, 2], 1.5],
    ["/", [3, 0], null],
    ["+", [1, null], null],
    ["+", ["a", 1], null],
    ["negate", [4], -4],
    ["abs", [-4], 4],
    ["round", [2.5], 3],
    ["round", [-2.345, 2], -2.35],
    ["=", [1, 1], true],
    ["=", [null, 1], null],
    ["<>", ["a", "b"], true],
    ["<", [1, 2], true],
    ["<=", [2, 2], true],
    [">", [1, 2], false],
    [">=", [1, 2], false],
    ["=", ["1", 1], false],
    ["<", [true, 0], true],
    ["and", [true, null], null],
    ["and", [false, null], false],
    ["and", [true, true], true],
    ["or", [true, null], true],
    ["or", [false, null], null],
    ["or", [false, false], false],
    ["not", [true], false],
    ["not", [null], null],
    ["is-null", [null], true],
    ["is-not-null", [null], false],
    ["in", [1, 2, 1], true],
    ["in", [1, 2, null], null],
    ["in", [1, 2, 3], false],
    ["in", [null, 1], null],
    ["%", [-7, 4], -3],
    ["sign", [-3], -1],
    ["floor", [1.7], 1],
    ["ceil", [1.2], 2],
    ["sqrt", [9], 3],
    ["sqrt", [-9], null],
    ["ln", [1], 0],
    ["ln", [0], null],
    ["log10", [100], 2],
    ["exp", [0], 1],
    ["exp", [1000], null],
    ["power", [2, 3], 8],
    ["to-integer", [1.7], 2],
    ["least", [3, null, 2], 2],
    ["greatest", [3, null, 2], 3],
    ["least", [null, null], null],
    ["coalesce", [null, 2, 3], 2],
    ["coalesce", [null, null], null],
    ["nullif", [2, 2], null],
    ["nullif", [2, 3], 2],
    ["nullif", [2, null], 2],
    ["nullif", [null, 2], null],
    ["<", [2, 2], false],
    ["<", [2, 1], false],
    ["<", [1, null], null],
    ["<=", [1, 2], true],
    ["<=", [2, 1], false],
    [">", [2, 1], true],
    [">", [2, 2], false],
    [">=", [2, 2], true],
    [">=", [2, 1], true],
    ["<>", [1, 1], false],
    ["<>", [2, 1], true],
    ["=", [1, 2], false],
    ["=", [2, 1], false],
    ["<", [2, "1"], true],
    ["<", ["1", 2], false],
    ["<", ["true", true], false],
    ["<", [false, true], true],
    ["not", [false], true],
    ["not", [1], null],
    ["is-null", [0], false],
    ["is-not-null", [false], true],
  ])("%s %j is %j", (operator, args, expected) => {
    expect(evaluate(call(operator, ...args.map(literal)), empty)).toBe(expected);
  });

  it("answers null, never raises, for missing arguments", () => {
    for (const operator of postOperators) expect(() => evaluate(call(operator), empty)).not.toThrow();
  });

  it("stops at a name that the row does not have, and takes it for no value", () => {
    for (const part of [key, aggregate, { kind: "grouped-away", key: "k" } as const])
      expect(() => evaluate(part, empty)).toThrow(expect.objectContaining({ code: "internal.invariant" }));
  });

  it("tells of a key whether it is grouped away, and whether the row stands for its other groups", () => {
    const marked: PostRow = {
      keys: new Map([
        ["a", null],
        ["b", null],
        ["c", 3n],
      ]),
      away: new Set(["a"]),
      others: new Set(["b"]),
      aggregates: new Map(),
    };
    const told = (["key", "grouped-away", "other"] as const).map((kind) =>
      ["a", "b", "c"].map((name) => evaluate({ kind, key: name }, marked)),
    );
    expect(told).toEqual([
      [null, null, 3n],
      [1, 0, 0],
      [0, 1, 0],
    ]);
  });

  it("compares 64-bit keys with numbers by value", () => {
    expect(evaluate(call("=", key, literal(3)), row(3n, 0))).toBe(true);
    expect(evaluate(call("<", key, literal(3.5)), row(3n, 0))).toBe(true);
  });

  it("takes the first branch whose condition is true, and the last word where none is", () => {
    const choice = (...conditions: readonly (boolean | null)[]): PostValue =>
      evaluate(
        {
          kind: "case",
          // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
          branches: conditions.map((when, at) => ({ when: literal(when), then: literal(at) })),
          otherwise: literal("none"),
        },
        empty,
      );
    expect([choice(false, true, true), choice(null, true), choice(null, false), choice(true)]).toEqual([
      1,
      1,
      "none",
      0,
    ]);
  });

  it("a condition holds where it is true alone", () => {
    expect([true, false, null].map((value) => holds(literal(value), empty))).toEqual([true, false, false]);
  });

  it("refuses a condition that is not boolean", () => {
    for (const value of [1, "true"])
      expect(() => holds(literal(value), empty)).toThrow(expect.objectContaining({ code: "query.type" }));
  });
});

describe("postProcess", () => {
  const rows = [row("a", 3), row("b", null), row("c", 5), row("d", 3)];
  const names = (result: readonly PostRow[]) => result.map((r) => r.keys.get("k")).join("");
  const none = { having: null, orderBy: [], limit: null, offset: 0 };

  it("keeps everything by default", () => {
    expect(names(postProcess(rows, none))).toBe("abcd");
  });
  it("drops rows where HAVING is unknown", () => {
    expect(names(postProcess(rows, { ...none, having: call(">", aggregate, literal(2)) }))).toBe("acd");
  });
  it("orders stably, with NULLs where asked", () => {
    const by = (descending: boolean, nullsFirst: boolean) => ({
      ...none,
      orderBy: [{ by: aggregate, descending, nullsFirst }],
    });
    expect(names(postProcess(rows, by(false, false)))).toBe("adcb");
    expect(names(postProcess(rows, by(true, true)))).toBe("bcad");
    expect(names(postProcess([row("x", null), row("y", null)], by(true, true)))).toBe("xy");
  });
  it("orders by the next expression where the first is alike or unknown in both rows", () => {
    const by = (...orderBy: readonly (readonly [PostExpression, boolean])[]) =>
      names(
        postProcess([row("b", null), row("a", null), row("d", 3), row("c", 3), row("e", 4)], {
          ...none,
          orderBy: orderBy.map(([one, descending]) => ({ by: one, descending, nullsFirst: false })),
        }),
      );
    expect(by([aggregate, false], [key, false])).toBe("cdeab");
    expect(by([aggregate, true], [key, true])).toBe("edcba");
    expect(by([key, false], [aggregate, true])).toBe("abcde");
  });
  it("places NULLs by what was asked, whichever way it orders", () => {
    const by = (descending: boolean, nullsFirst: boolean) =>
      names(postProcess(rows, { ...none, orderBy: [{ by: aggregate, descending, nullsFirst }] }));
    expect(by(false, true)).toBe("badc");
    expect(by(true, false)).toBe("cadb");
  });
  it("leaves the rows that it is handed as they are", () => {
    const handed = [row("b", 2), row("a", 1)];
    postProcess(handed, { ...none, orderBy: [{ by: aggregate, descending: false, nullsFirst: false }] });
    expect(names(handed)).toBe("ba");
  });
  it("gives no row at LIMIT 0, and all after OFFSET without a LIMIT", () => {
    expect(names(postProcess(rows, { ...none, limit: 0 }))).toBe("");
    expect(names(postProcess(rows, { ...none, offset: 3 }))).toBe("d");
    expect(names(postProcess(rows, { ...none, limit: 9, offset: 4 }))).toBe("");
  });
  it("applies OFFSET before LIMIT", () => {
    expect(names(postProcess(rows, { ...none, limit: 2, offset: 1 }))).toBe("bc");
  });
});
