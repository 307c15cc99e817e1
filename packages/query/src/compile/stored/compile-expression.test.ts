import { describe, expect, it } from "vitest";
import { dialects, duckdb } from "../../dialects/index.ts";
import type { ColumnExpression, Expression } from "../../expressions/expression.ts";
import type { Operator } from "../../expressions/operator.ts";
import { compareStored } from "./compare-stored.ts";
import { type ColumnReader, compileExpression } from "./compile-expression.ts";

const number = { type: "number", bounds: [0, 9], integer: true, nullable: true, values: null } as const;
const boolean = { type: "boolean", nullable: true } as const;
const age = { kind: "column", name: "age", domain: number } as unknown as ColumnExpression;
const literal = (value: number | string | boolean | null, type = "number"): Expression =>
  ({ kind: "literal", value, domain: { ...number, type } }) as unknown as Expression;
const call = (operator: Operator, ...args: readonly Expression[]): Expression =>
  ({ kind: "call", operator, args, domain: boolean }) as unknown as Expression;

/** Columns are read as <name>, and compared as (name operator constant) where the constant is a whole number. */
const columns: ColumnReader = {
  value: ({ name }) => `<${name}>`,
  compared: ({ name }, operator, constant) =>
    Number.isInteger(constant) ? `(${name} ${operator} ${constant})` : null,
};
const compile = (expression: Expression, dialect = duckdb): string =>
  compileExpression(expression, columns, dialect);

describe("an expression as SQL", () => {
  it("is a literal of its type, also where that is NULL", () => {
    for (const dialect of Object.values(dialects)) {
      const { double, text, boolean: truth } = dialect.types;
      expect(compile(literal("it's", "text"), dialect)).toBe(dialect.text("it's"));
      expect(compile(literal(-0.5), dialect)).toBe(dialect.double(-0.5));
      expect([true, false].map((value) => compile(literal(value, "boolean"), dialect))).toEqual([
        "TRUE",
        "FALSE",
      ]);
      for (const [type, native] of [
        ["number", double],
        ["date", double],
        ["timestamp", double],
        ["text", text],
        ["boolean", truth],
      ])
        expect(compile(literal(null, type), dialect)).toBe(`CAST(NULL AS ${native})`);
    }
  });

  it.each<[Operator, Operator]>([
    ["=", "="],
    ["<>", "<>"],
    ["<", ">"],
    ["<=", ">="],
    [">", "<"],
    [">=", "<="],
  ])("compares what is stored: age %s 3, and 3 %s age turned round", (operator, mirrored) => {
    expect(compile(call(operator, age, literal(3)))).toBe(`(age ${operator} 3)`);
    expect(compile(call(mirrored, literal(3), age))).toBe(`(age ${operator} 3)`);
  });

  it("compares values where what is stored cannot be, and where neither side is a constant", () => {
    const half = compile(call("<", age, literal(0.5)));
    expect(half).toContain("<age>");
    expect(half).toContain(duckdb.double(0.5));
    expect(compile(call("<", literal(0.5), age))).toContain("<age>");
    expect(compile(call("<", age, age)).split("<age>")).toHaveLength(3);
    expect(compile(call("=", age, literal(null)))).toContain("<age>");
    expect(compile({ ...call("+", age, literal(3)), domain: number } as Expression)).toContain("<age>");
    expect(compile(call("<", literal(3), literal(4)))).not.toContain("age");
  });

  it("takes the first branch that holds", () => {
    const branches = [1, 2].map((value) => ({
      when: call("=", age, literal(value)),
      // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
      then: literal(10 * value),
    }));
    const of = { kind: "case", branches, otherwise: age, domain: number } as unknown as Expression;
    const [ten, twenty] = [10, 20].map((value) => duckdb.double(value));
    expect(compile(of)).toBe(`CASE WHEN (age = 1) THEN ${ten} WHEN (age = 2) THEN ${twenty} ELSE <age> END`);
  });
});

describe("a comparison of stored integers", () => {
  it("rounds the constant to the side that keeps the same integers", () => {
    const at = (constant: number, exponent = -1) =>
      ([">", "<=", "<", ">=", "=", "<>"] as const).map((operator) =>
        compareStored("i", operator, constant, exponent, duckdb.write),
      );
    // 0.3 is 0.6 half steps.
    expect(at(0.3)).toEqual(["(i > 0)", "(i <= 0)", "(i < 1)", "(i >= 1)", "(i <> i)", "(i = i)"]);
    expect(at(-0.3)).toEqual(["(i > (-1))", "(i <= (-1))", "(i < 0)", "(i >= 0)", "(i <> i)", "(i = i)"]);
    expect(at(2, 1)).toEqual(["(i > 1)", "(i <= 1)", "(i < 1)", "(i >= 1)", "(i = 1)", "(i <> 1)"]);
  });

  it("is left to the doubles beyond 2^62, and for any other operator", () => {
    const below = 2 ** 62 - 2 ** 9;
    expect(compareStored("i", "<", below, 0, duckdb.write)).toBe(`(i < ${BigInt(below)})`);
    expect(compareStored("i", "<", 2 ** 62, 0, duckdb.write)).toBeNull();
    expect(compareStored("i", "<", -(2 ** 62), 0, duckdb.write)).toBeNull();
    expect(compareStored("i", "<", Number.NaN, 0, duckdb.write)).toBeNull();
    expect(compareStored("i", "+", 1, 0, duckdb.write)).toBeNull();
    // Scaled by the step, the least double is no longer itself.
    expect(compareStored("i", "<", Number.MIN_VALUE, 3, duckdb.write)).toBeNull();
  });
});
