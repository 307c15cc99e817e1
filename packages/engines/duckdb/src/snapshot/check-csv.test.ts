import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { TablePolicy } from "@lethe/query";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { policyOf } from "../testing/engine-fixture.ts";
import { checkCsv, longestRecord } from "./check-csv.ts";
import { csvScan } from "./csv-scan.ts";

const folder = mkdtempSync(join(tmpdir(), "lethe-check-csv-"));
const path = join(folder, "t.csv");
const { t: policy } = policyOf(
  "t: { file: t.csv, unit: row, columns: { a: { type: text }, b: { type: text }, c: { type: text } } }",
).tables as { t: TablePolicy };
let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
});
afterAll(() => {
  connection.closeSync();
  rmSync(folder, { recursive: true });
});

/** The number of records, or the line of the fault. */
async function checked(content: string | Uint8Array, of: TablePolicy = policy, width = 3): Promise<unknown> {
  writeFileSync(path, content);
  return checkCsv("t", of, path, width).catch((error) => [error.code, error.fields.line]);
}

async function read(parallel: boolean): Promise<unknown[][]> {
  const { relation } = csvScan("t", policy, path);
  // In hex, since the client drops a byte order mark that a text begins with.
  const hex = "SELECT hex(encode(a)), hex(encode(b)), hex(encode(c))";
  const reader = await connection.runAndReadAll(`${hex} FROM ${relation(parallel)}`);
  return reader
    .getRows()
    .map((row) => row.map((text) => (text === null ? null : Buffer.from(String(text), "hex").toString())));
}

type Row = readonly (string | null)[];
/** Writes a row as RFC 4180 defines it. */
const written = (row: Row, end = "\n"): string =>
  row
    .map((cell) => (cell === null ? "" : /[",\r\n]|^$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(",") + end;
const sorted = (rows: readonly (readonly unknown[])[]): string[] =>
  rows.map((row) => JSON.stringify(row)).sort();

const cell = fc.oneof(
  fc.constantFrom(null, "", "x", '"', '""', '",', ',"', "\n", "\r\n", "\r", "\0", "é😀", "\ufeff", " ", "\\"),
  fc.string({ maxLength: 6, unit: fc.constantFrom("a", " ", '"', ",", "\n", "\r", "'", ";", "ü") }),
);
// A row of nothing but NULLs is not an empty line: it has its delimiters.
const rows = fc.array(fc.tuple(cell, cell, cell), { maxLength: 8 });

describe("a well-formed CSV", () => {
  it("is read as the rows that were written, whatever they hold, by one thread or more", async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom("\n", "\r\n"), async (table, end) => {
        expect(await checked([["a", "b", "c"], ...table].map((row) => written(row, end)).join(""))).toBe(
          table.length,
        );
        for (const parallel of [true, false]) expect(sorted(await read(parallel))).toEqual(sorted(table));
      }),
      { numRuns: 150, seed: 1 },
    );
  });

  it("may begin with a byte order mark, end without a line feed, and have empty lines", async () => {
    expect(await checked('\ufeff"a",b,c\n\n1,2,3\n\n\n4,5,6')).toBe(2);
    expect(await read(true)).toEqual([
      ["1", "2", "3"],
      ["4", "5", "6"],
    ]);
    expect(await checked("a,b,c")).toBe(0);
    expect(await checked("")).toBe(-1);
    const bare = { ...policy, csv: { ...policy.csv, header: false } };
    expect(await checked("1,2,3\n4,5,6\n", bare)).toBe(2);
  });

  it("of one column has a NULL in every empty line", async () => {
    const one = policyOf("t: { file: t.csv, unit: row, columns: { a: { type: text } } }").tables.t!;
    expect(await checked('a\nx\n\n""\n\ny', one, 1)).toBe(5);
    const reader = await connection.runAndReadAll(`SELECT * FROM ${csvScan("t", one, path).relation(false)}`);
    expect(reader.getRows()).toEqual([["x"], [null], [""], [null], ["y"]]);
  });

  it("of many megabytes keeps its records where chunks meet", async () => {
    const line = written(["é".repeat(50), "a\nb", '"']);
    const count = Math.ceil(3_500_000 / Buffer.byteLength(line));
    expect(await checked(`a,b,c\n${line.repeat(count)}`)).toBe(count);
    expect(await checked(`a,b,c\n1,${"x".repeat(longestRecord - 10)},3\n`)).toBe(1);
    expect((await read(true)).length).toBe(1);
  });
});

describe("any other CSV is refused, naming its line", () => {
  const good = "a,b,c\n1,2,3\n";
  it.each([
    ["an open quote", `${good}4,"5,6\n7,8,9\n`],
    ["an open quote, closed by the next", `${good}4,"5,6\n7,"8",9\n`],
    ["a quote inside", `${good}4,5",6\n`],
    ["a quote behind a blank", `${good}4, "5",6\n`],
    ["text behind a quote", `${good}4,"5"x,6\n`],
    ["too few fields", `${good}4,5\n7,8,9\n`],
    ["too many fields", `${good}4,5,6,7\n`],
    ["a carriage return", `${good}4,5\r,6\n`],
    ["a carriage return at the end", `${good}4,5,6\r`],
    ["another line end", `${good}4,5,6\r\n`],
    ["a record too long", `${good}4,${"x".repeat(longestRecord)},6\n`],
    ["a quoted record too long", `${good}4,"${"x\n".repeat(longestRecord / 2)}",6\n`],
  ])("%s", async (_, content) => {
    expect(await checked(content)).toEqual(["engine.source", 3]);
  });

  it.each([
    [[0xff]],
    [[0x80]],
    [[0xc0, 0x80]],
    [[0xc3]],
    [[0xe0, 0x80, 0x80]],
    [[0xed, 0xa0, 0x80]],
    [[0xf0, 0x80, 0x80, 0x80]],
    [[0xf4, 0x90, 0x80, 0x80]],
    [[0xf5, 0x80, 0x80, 0x80]],
  ])("bytes %j, which are no UTF-8", async (bytes) => {
    const content = Buffer.concat([Buffer.from(`${good}4,`), Buffer.from(bytes), Buffer.from(",6\n")]);
    expect(await checked(content)).toEqual(["engine.source", 3]);
    expect(await checked(content.subarray(0, -3))).toEqual(["engine.source", 3]);
  });

  it("a mark that is not ASCII", async () => {
    for (const mark of ["§", "\u0080"])
      for (const csv of [{ delimiter: mark }, { quote: mark }]) {
        const marked = { ...policy, csv: { ...policy.csv, ...csv } };
        expect(await checked(good, marked)).toMatchObject(["engine.source", undefined]);
      }
  });
});

describe("one line more", () => {
  const line = fc.oneof(
    fc.tuple(cell, cell, cell).map((row) => written(row)),
    fc
      .string({ maxLength: 12, unit: fc.constantFrom("x", '"', '"', ",", ",", "\n", "\r", " ", "\0") })
      .map((text) => `${text}\n`),
  );
  it("adds one row or none and changes no other, or the file is refused", async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(rows, line, fc.nat(8), async (table, more, at) => {
        const lines = table.map((row) => written(row));
        const place = Math.min(at, lines.length);
        const records = await checked(
          ["a,b,c\n", ...lines.slice(0, place), more, ...lines.slice(place)].join(""),
        );
        if (typeof records !== "number") {
          refused += 1;
          return;
        }
        const found = sorted(await read(true));
        expect(found.length).toBe(records);
        for (const row of sorted(table)) {
          const where = found.indexOf(row);
          expect(where).toBeGreaterThanOrEqual(0);
          found.splice(where, 1);
        }
        // A text that is itself several well-formed lines adds them.
        expect(found.length).toBeLessThanOrEqual(more.split("\n").length - 1);
      }),
      { numRuns: 300, seed: 2 },
    );
    expect(refused).toBeGreaterThan(20);
    expect(refused).toBeLessThan(280);
  });
});

describe("a refusal", () => {
  it("meets a record that is one byte longer than DuckDB reads, and none that is not", async () => {
    const record = (bytes: number): string => `1,${"x".repeat(bytes - 4)},3`;
    expect(await checked(`a,b,c\n${record(longestRecord)}\n${record(longestRecord)}\n`)).toBe(2);
    expect(await checked(`a,b,c\n${record(longestRecord + 1)}\n`)).toEqual(["engine.source", 2]);
  });

  it.each([
    ['a,b,c\n1,"x\n\ny",3\n4,5\n', 5],
    ['a,b,c\n1,"x\ny"z,3\n', 2],
    ["\n\na,b,c\n\n1,2\n", 5],
    ["a,b,c\r\n1,2,3\n", 2],
    ["a,b\n", 1],
    // Another character than a byte order mark that begins with the same two bytes.
    ['\ufec0"a",b,c\n', 1],
    ['\uff3f"a",b,c\n', 1],
  ])("of %j names the line in which the record begins, which is %d", async (content, line) => {
    expect(await checked(content)).toEqual(["engine.source", line]);
  });

  it.each([
    ["1,2\n", "has 2 fields, but 3 are needed"],
    ["1,2,3,4", "has 4 fields, but 3 are needed"],
    ['1,"2,3\n', "opens a quote that is never closed"],
    ['1,2",3\n', "has a quote in a field that is not quoted"],
    ['1,"2"x,3\n', "has text behind a closing quote"],
    ["1,2\r,3\n", "has a carriage return that ends no line"],
    ["1,2,3\r\n", "does not end as the first line does"],
  ])("says in words what is wrong, and in which file: of %j, that it %s", async (content, words) => {
    writeFileSync(path, `a,b,c\n1,2,3\n${content}`);
    await expect(checkCsv("t", policy, path, 3)).rejects.toMatchObject({
      message: `t.csv, line 3: ${words}`,
      fields: { table: "t", file: "t.csv", line: 3 },
    });
  });
});
