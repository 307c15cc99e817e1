import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { constant } from "./constant.ts";
import { dialects, duckdb, postgres, postgresTypes } from "./index.ts";
import { integerText } from "./integer-text.ts";
import { isCategory } from "./is-category.ts";
import { nativeKind } from "./postgres/native-type.ts";

describe("literals", () => {
  const doubles = [
    ...[0, 1, -1, 0.1, -0.1, 1e21, -1e21, 1e-7, -1e-7, 123_456_789.25, 5e-324, -5e-324],
    ...[Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 53 + 2, 1 / 3, 2 ** -1022],
  ];
  it("of doubles are read back by DuckDB as the same doubles, and by their type alone", async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const list = doubles.map(duckdb.double);
    const values = await connection.runAndReadAll(`SELECT ${list.join(", ")}`);
    expect(values.getRows()[0]).toEqual(doubles);
    const types = await connection.runAndReadAll(
      `SELECT ${list.map((each) => `typeof(${each})`).join(", ")}`,
    );
    expect(new Set(types.getRows()[0])).toEqual(new Set(["DOUBLE"]));
    // Behind a minus, a negative one is no comment.
    expect((await connection.runAndReadAll(`SELECT 1 -${duckdb.double(-2)}`)).getRows()).toEqual([[3]]);
    const wide = [0n, -1n, 2n ** 120n, -(2n ** 120n)];
    expect((await connection.runAndReadAll(`SELECT ${wide.map(duckdb.wide).join(", ")}`)).getRows()).toEqual([
      wide,
    ]);
    connection.closeSync();
  });

  it("of doubles for PostgreSQL are their shortest texts, −0 with its sign", () => {
    expect([0.1, -2, 1e21, -0, 0].map(postgres.double)).toEqual([
      ...["float8 '0.1'", "float8 '-2'", "float8 '1e+21'", "float8 '-0'", "float8 '0'"],
    ]);
  });

  it("of integers stand in brackets where a minus would meet another", () => {
    expect([0n, 7n, -7n].map(integerText)).toEqual(["0", "7", "(-7)"]);
  });

  it("of texts and names end where they end, whatever they hold", () => {
    expect(duckdb.text("it's")).toBe("'it''s'");
    expect(postgres.text("it's")).toBe(`('it''s' COLLATE "C")`);
    for (const dialect of Object.values(dialects)) expect(dialect.identifier('a"b')).toBe('"a""b"');
  });

  it("of names that PostgreSQL would cut are cut before, into names that nobody else has", () => {
    const [longest, longer] = ["x".repeat(63), "x".repeat(64)];
    expect(postgres.identifier(longest)).toBe(`"${longest}"`);
    expect(postgres.identifier(longer)).toBe(`"\u0001${"x".repeat(15)}"`);
    // Names are as long as their bytes.
    const [umlauts, more] = [`a${"ü".repeat(31)}`, "ü".repeat(32)];
    expect(postgres.identifier(umlauts)).toBe(`"${umlauts}"`);
    expect(postgres.identifier(more)).toBe(`"\u0001${"ü".repeat(15)}"`);
    expect(new TextEncoder().encode(postgres.identifier("😀".repeat(40))).length).toBeLessThanOrEqual(63 + 2);
    expect(duckdb.identifier(longer)).toBe(`"${longer}"`);
  });
});

describe("a constant argument", () => {
  const domain = { type: "boolean", nullable: true, values: null } as never;
  it("is a number or a text that stands in the question", () => {
    expect(constant({ kind: "literal", value: 7, domain })).toBe(7);
    expect(constant({ kind: "literal", value: "", domain })).toBe("");
    for (const value of [null, true, false])
      expect(() => constant({ kind: "literal", value, domain })).toThrow("a constant is due");
    expect(() => constant({ kind: "column", name: "x", domain })).toThrow("a constant is due");
  });
});

describe("a category", () => {
  it.each([
    [[1, 2, 3, 4], "x BETWEEN 1 AND 4"],
    [[4, 2, 1, 3], "x BETWEEN 1 AND 4"],
    [[-2, -1, 5, 6], "x BETWEEN (-2) AND (-1) OR x BETWEEN 5 AND 6"],
    [[1, 2, 5], "x IN (1, 2, 5)"],
    [[7], "x IN (7)"],
    [[10, 9], "x BETWEEN 9 AND 10"],
    [[1, 3, 5], "x IN (1, 3, 5)"],
  ])("of %j is told by neighbours together where that saves half of the tests", (categories, text) => {
    expect(isCategory("x", categories)).toBe(text);
  });
});

describe("a native type of PostgreSQL", () => {
  it("is read by its kind; what is unknown, or a word of JavaScript's, is a text", () => {
    expect(["int4", "float4", "decimal", "numeric", "bool", "uuid", "timestamptz"].map(nativeKind)).toEqual([
      ...["integer", "double", "decimal", "numeric", "boolean", "short-text", "timestamptz"],
    ]);
    for (const type of ["json", "toString", "", undefined]) expect(nativeKind(type)).toBe("text");
    expect(postgresTypes).not.toContain("json");
  });
});
