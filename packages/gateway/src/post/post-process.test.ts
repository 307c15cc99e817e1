import type { PostExpression, PostOperator } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { evaluate, holds, type PostRow, type PostValue, postOperators } from "./evaluate.ts";
import { postProcess } from "./post-process.ts";

const literal = (value: string | number | boolean | null): PostExpression => ({ kind: "literal", value });
const call = (operator: PostOperator, ...args: PostExpression[]): PostExpression => ({
  kind: "call",
  operator,
  args,
});
const aggregate: PostExpression = { kind: "aggregate", aggregate: 0 };
const key: PostExpression = { kind: "key", key: 0 };
const empty: PostRow = { key: [], aggregates: [] };
const row = (name: PostValue, value: number | null): PostRow => ({ key: [name], aggregates: [value] });

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
  ])("%s %j is %j", (operator, args, expected) => {
    expect(evaluate(call(operator, ...args.map(literal)), empty)).toBe(expected);
  });

  it("answers null, never raises, for missing parts", () => {
    for (const operator of postOperators) expect(() => evaluate(call(operator), empty)).not.toThrow();
    expect(evaluate(key, empty)).toBeNull();
    expect(evaluate(aggregate, empty)).toBeNull();
  });

  it("compares 64-bit keys with numbers by value", () => {
    expect(evaluate(call("=", key, literal(3)), row(3n, 0))).toBe(true);
    expect(evaluate(call("<", key, literal(3.5)), row(3n, 0))).toBe(true);
  });

  it("refuses a condition that is not boolean", () => {
    expect(() => holds(literal(1), empty)).toThrow(/condition/);
  });
});

describe("postProcess", () => {
  const rows = [row("a", 3), row("b", null), row("c", 5), row("d", 3)];
  const names = (result: readonly PostRow[]) => result.map((r) => r.key[0]).join("");
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
  it("applies OFFSET before LIMIT", () => {
    expect(names(postProcess(rows, { ...none, limit: 2, offset: 1 }))).toBe("bc");
  });
});
