import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPolicy } from "../../policy/file/read-policy.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import { columns } from "./columns.ts";

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  await connection.run("SET TimeZone = 'UTC'");
});
afterAll(() => connection.closeSync());

const column = (words: string): ColumnPolicy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1, delta: 1e-6 }
tables: { t: { file: t.csv, unit: row, columns: { c: ${words} } } }
`).tables.t!.columns.c!;

/** The values that are stored for raw values of one native type. */
async function stored(words: string, native: string, raw: readonly string[]): Promise<readonly unknown[]> {
  const of = column(words);
  const rows = raw.map((value, at) => `(${at}, CAST(${value} AS ${native}))`).join(", ");
  const parsed = `SELECT place, ${columns.parse(of, "v.raw")} AS p FROM (VALUES ${rows}) AS v (place, raw)`;
  const clean = `TRY_CAST(${columns.clean(of, "p")} AS ${columns.type(of)})`;
  const reader = await connection.runAndReadAll(`SELECT ${clean} FROM (${parsed}) ORDER BY place`);
  return reader.getRowsJson().map(([value]) => (/^-?\d+$/.test(String(value)) ? Number(value) : value));
}

/** Texts that are read as numbers, and what of them is stored; those behind are none. */
const numbers: readonly (readonly [string, number])[] = [
  ["'7'", 7],
  ["' 7 '", 7],
  ["'-1.5e0'", -1.5],
  ["'.5'", 0.5],
  [`'${"0".repeat(999)}7'`, 7],
];
const none = ["''", "'x'", "'1_000'", "'+-1'", "'0x10'", "NULL", `'${"0".repeat(1000)}7'`];

describe("a number", () => {
  it("is a double where nothing bounds it; what is none, or not finite, is the default or NULL", async () => {
    const raw = [...numbers.map(([text]) => text), ...none, "'nan'", "'inf'", "'1e400'"];
    const expected = numbers.map(([, value]) => value);
    for (const [words, missing] of [
      ["", null],
      [", default: -2.5", -2.5],
      [", default: 0", 0],
    ] as const) {
      const rest = raw.slice(expected.length).map(() => missing);
      expect(await stored(`{ type: number${words} }`, "VARCHAR", raw), words).toEqual([...expected, ...rest]);
    }
    expect(await stored("{ type: number }", "DOUBLE", ["0.1", "'-inf'", "NULL"])).toEqual([0.1, null, null]);
  });

  it("is a whole number of steps within its bounds; what is none is the default's step or NULL", async () => {
    // 64 has 2^20 … 2^21 steps: 2^-14 each.
    const step = 2 ** 14;
    const raw = ["1.5", "64.1", "-3", "1e300", "'nan'", "'inf'", "NULL"];
    const clean = [1.5 * step, 64 * step, 0, 64 * step];
    const bounded = "{ type: number, bounds: [0, 64]";
    expect(await stored(`${bounded} }`, "DOUBLE", raw)).toEqual([...clean, null, null, null]);
    const three = 3 * step;
    expect(await stored(`${bounded}, default: 3 }`, "DOUBLE", raw)).toEqual([...clean, three, three, three]);
  });
});

describe("an integer", () => {
  it("is rounded half to even, and none beyond 2^53", async () => {
    const raw = [
      "'2.5'",
      "'3.5'",
      "'-2.5'",
      "'9007199254740992'",
      "'9007199254740994'",
      "'-9007199254740994'",
      "'1e30'",
      "'x'",
    ];
    expect(await stored("{ type: integer }", "VARCHAR", raw)).toEqual([
      2,
      4,
      -2,
      2 ** 53,
      null,
      null,
      null,
      null,
    ]);
    const exact = ["9007199254740992", "9007199254740993", "-9007199254740993", "-7", "NULL"];
    expect(await stored("{ type: integer, default: 5 }", "BIGINT", exact)).toEqual([2 ** 53, 5, 5, -7, 5]);
  });

  it("is one of its categories, or the default", async () => {
    const raw = ["1", "2.5", "9", "4", "NULL"];
    const listed = "{ type: integer, categories: [1, 2, 3, 9]";
    expect(await stored(`${listed} }`, "DOUBLE", raw)).toEqual([1, 2, 9, null, null]);
    expect(await stored(`${listed}, default: 3 }`, "DOUBLE", raw)).toEqual([1, 2, 9, 3, 3]);
    expect(await stored(`${listed} }`, "TINYINT", ["1", "4"])).toEqual([1, null]);
  });

  it("is clamped to its bounds, whatever its native type", async () => {
    const bounded = "{ type: integer, bounds: [-5, 5] }";
    expect(await stored(bounded, "DOUBLE", ["-5.5", "4.5", "5.6", "1e300", "'nan'"])).toEqual([
      -5,
      4,
      5,
      5,
      null,
    ]);
    expect(await stored(bounded, "BIGINT", ["-6", "6", "0"])).toEqual([-5, 5, 0]);
    expect(await stored(bounded, "VARCHAR", ["'6'", "'six'"])).toEqual([5, null]);
  });
});

describe("a text", () => {
  it("is one of its categories byte by byte, or the default", async () => {
    const raw = ["'a'", "'A'", "' a'", "'it''s'", "NULL"];
    const listed = `{ type: text, categories: [a, "it's"]`;
    expect(await stored(`${listed} }`, "VARCHAR", raw)).toEqual(["a", null, null, "it's", null]);
    expect(await stored(`${listed}, default: a }`, "VARCHAR", raw)).toEqual(["a", "a", "a", "it's", "a"]);
  });

  it("is cut at its longest, by characters, and the default stands for NULL alone", async () => {
    const raw = ["'abcd'", "'üüüü'", "''", "NULL"];
    const cut = "{ type: text, max_length: 3";
    expect(await stored(`${cut} }`, "VARCHAR", raw)).toEqual(["abc", "üüü", "", null]);
    expect(await stored(`${cut}, default: x }`, "VARCHAR", raw)).toEqual(["abc", "üüü", "", "x"]);
    expect(await stored("{ type: text }", "INTEGER", ["7"])).toEqual([7]);
  });

  it("of a column that is compared without capitals is compared with them", async () => {
    const of = column("{ type: text }");
    await connection.run("CREATE OR REPLACE TABLE folded (v VARCHAR COLLATE NOCASE)");
    await connection.run("INSERT INTO folded VALUES ('a'), ('A')");
    const sql = `SELECT count(DISTINCT ${columns.parse(of, "v")}), count(DISTINCT ${columns.unit("v")}) FROM folded`;
    expect((await connection.runAndReadAll(sql)).getRowsJson()).toEqual([["2", "2"]]);
  });
});

describe("a truth", () => {
  it("is spelled in few ways, blanks and capitals aside; anything else is the default or NULL", async () => {
    const yes = ["'t'", "'TRUE'", "' yes\t'", "'1'"];
    const no = ["'f'", "'False'", "'no'", "'0'"];
    const padded = `'${"t".padStart(100)}'`;
    const others = ["'y'", "'2'", "''", "NULL", `'${"t".padStart(101)}'`];
    for (const [words, missing] of [
      ["", null],
      [", default: true", true],
      [", default: false", false],
    ] as const)
      expect(
        await stored(`{ type: boolean${words} }`, "VARCHAR", [...yes, padded, ...no, ...others]),
        words,
      ).toEqual([
        ...[true, true, true, true, true, false, false, false, false],
        ...others.map(() => missing),
      ]);
    expect(await stored("{ type: boolean }", "INTEGER", ["1", "0", "2"])).toEqual([true, false, null]);
    expect(await stored("{ type: boolean }", "BOOLEAN", ["true", "false", "NULL"])).toEqual([
      true,
      false,
      null,
    ]);
  });
});

describe("a time", () => {
  const day = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 86_400_000;
  const bounds = "bounds: [2020-01-01, 2020-12-31]";

  it("of days is within its bounds, the whole of the last day among them, or the default", async () => {
    const raw = [
      "'2020-01-01'",
      "'2020-12-31 23:59:59.999999'",
      "'2020-12-31 24:00'",
      "'2019-12-31 23:59:59.999999'",
      "'2021-01-01'",
      "'x'",
      "NULL",
    ];
    const [first, last] = [day("2020-01-01"), day("2020-12-31")];
    expect(await stored(`{ type: date, ${bounds} }`, "VARCHAR", raw)).toEqual([
      first,
      last,
      null,
      null,
      null,
      null,
      null,
    ]);
    const some = day("2020-02-29");
    expect(await stored(`{ type: date, ${bounds}, default: 2020-02-29 }`, "VARCHAR", raw)).toEqual([
      ...[first, last, some, some, some, some, some],
    ]);
    expect(await stored(`{ type: date, ${bounds} }`, "DATE", ["'2020-02-29'", "'infinity'"])).toEqual([
      some,
      null,
    ]);
  });

  it("of moments is in microseconds, and in UTC where it has a zone", async () => {
    const moment = `{ type: timestamp, bounds: ["2020-01-01 00:00:00", "2020-12-31 12:00:00"] }`;
    const noon = (day("2020-12-31") * 24 + 12) * 3_600_000_000;
    const raw = ["'2020-12-31 12:00:00'", "'2020-12-31 12:00:00.000001'", "'2020-01-01'"];
    const first = day("2020-01-01") * 86_400_000_000;
    for (const native of ["TIMESTAMP", "VARCHAR"])
      expect(await stored(moment, native, raw), native).toEqual([noon, null, first]);
    expect(await stored(moment, "DATE", ["'2020-01-01'", "'2019-12-31'"])).toEqual([first, null]);
    expect(
      await stored(moment, "TIMESTAMPTZ", ["'2020-12-31 11:00:00-01'", "'2020-12-31 12:00:00-01'"]),
    ).toEqual([noon, null]);
  });
});

describe("a unit's name", () => {
  it("is its text, or a hash that is longer than any text that is kept", async () => {
    const names = ["x".repeat(256), "x".repeat(257), `${"x".repeat(257)}y`, "ü".repeat(256), ""];
    const rows = names.map((name, at) => `(${at}, '${name}')`).join(", ");
    for (const unit of [columns.unit("v.raw"), columns.ownUnit("v.raw").value]) {
      const sql = `SELECT ${unit} FROM (VALUES ${rows}) AS v (place, raw) ORDER BY place`;
      const found = (await connection.runAndReadAll(sql)).getRowsJson().map(([name]) => String(name));
      expect([found[0], found[3], found[4]]).toEqual([names[0], names[3], names[4]]);
      for (const hashed of [found[1]!, found[2]!]) {
        expect(hashed).toMatch(/^[0-9a-f]{64}#+$/);
        expect(hashed.length).toBe(257);
      }
      expect(new Set(found).size).toBe(names.length);
    }
    expect(columns.ownUnit("v").name("n")).toBe("n");
  });

  it("is made of an integer or UUID where units are told apart by these, and of nothing else", async () => {
    const spelled = ["'12'", "'-3'", "'0'", "'7'", "NULL"];
    const ids = ["'4ac7a9e9-607c-4c8a-84f3-843f0191e3fd'", "NULL"];
    const natives: readonly (readonly [string, readonly string[], boolean])[] = [
      ...["TINYINT", "SMALLINT", "INTEGER", "BIGINT"].map((native) => [native, spelled, true] as const),
      ...["UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"].map(
        (native) => [native, ["'12'", "NULL"], true] as const,
      ),
      ["UUID", ids, true],
      ...["VARCHAR", "DOUBLE", "FLOAT", "DECIMAL(18,2)"].map((native) => [native, spelled, false] as const),
      ["BOOLEAN", ["'true'", "NULL"], false],
      ["DATE", ["'2020-01-01'"], false],
    ];
    for (const [native, raw, isOwn] of natives) {
      const { value, name } = columns.ownUnit("v.raw", native);
      expect(value === "v.raw", native).toBe(isOwn);
      const rows = raw.map((text) => `(CAST(${text} AS ${native}))`).join(", ");
      const sql = `SELECT ${name("u")}, ${columns.unit("raw")} FROM (SELECT v.raw, ${value} AS u FROM (VALUES ${rows}) AS v (raw))`;
      for (const [own, told] of (await connection.runAndReadAll(sql)).getRowsJson())
        expect(own, native).toBe(told);
    }
  });
});
