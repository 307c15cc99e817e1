import { DuckDBInstance } from "@duckdb/node-api";
import { type ColumnPolicy, duckdb, gridOf, postgres, readPolicy } from "@lethe/query";
import type { Dialect } from "@lethe/query/dialects";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Dice } from "../dice.ts";
import { oddText } from "../odd-texts.ts";
import { clean } from "../reference-evaluator.ts";
import { type CleanValue, kept } from "../reference-rows.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./start-postgres.ts";

/*
 * What a value of a database is to Lethe: one meaning, whichever engine reads it. Odd texts under every declaration are compared
 * with the reference; odd values of native types between DuckDB and PostgreSQL.
 */

const many = Number(process.env.ODD_VALUES ?? 1500);
const firstSeed = Number(process.env.ODD_VALUES_SEED ?? 1);

const { columns: declared } = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables:
  odd:
    file: odd.parquet
    unit: row
    columns:
      number: { type: number }
      bounded: { type: number, bounds: [-3.7, 2000] }
      filled: { type: number, bounds: [0, 1e6], default: 7.5 }
      integer: { type: integer }
      whole: { type: integer, bounds: [-5, 1000], default: 3 }
      known: { type: integer, categories: [0, 1, 1000] }
      truth: { type: boolean }
      default_truth: { type: boolean, default: true }
      date: { type: date, default: 1970-01-01 }
      moment: { type: timestamp }
      text: { type: text, max_length: 9 }
      word: { type: text, categories: ["yes", " 1", "1"], default: "1" }
`).tables.odd!;
const names = Object.keys(declared);

/** Returns SQL for the stored form of a value: a double by its bits, a text by its bytes, since readers of results lose some of both. */
function stored(dialect: Dialect, column: ColumnPolicy, raw: string, native?: string): string {
  const parsed = `(SELECT ${dialect.columns.parse(column, raw, native)} AS p${dialect.words.fence})`;
  const clean = `(SELECT ${dialect.columns.clean(column, "parsed.p", native)} FROM ${parsed} AS parsed)`;
  if (column.type === "text")
    return dialect === duckdb
      ? `lower(hex(encode(${clean})))`
      : `encode(convert_to(${clean}, 'UTF8'), 'hex')`;
  const isDouble = column.type === "number" && column.bounds === null;
  const bits = isDouble ? dialect.doubleBits(`(${clean} + ${dialect.double(0)})`) : clean;
  return `CAST(${bits} AS ${dialect.types.text})`;
}

/** Returns the reference's value as {@link stored} spells it. */
function spelled(column: ColumnPolicy, value: CleanValue): string | null {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  if (typeof value !== "number") return value === null ? null : String(value);
  const grid = gridOf(column);
  if (grid !== null) return String(BigInt((kept(column, value) as number) / 2 ** grid.exponent));
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value + 0);
  return bytes.toString("hex");
}

describe.skipIf(!hasPostgres())("odd values have one meaning", () => {
  let server: PostgresServer;
  let client: Client;
  let instance: DuckDBInstance;
  beforeAll(async () => {
    server = await startPostgres();
    client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query("SET timezone = 'UTC'; SET search_path = pg_catalog, pg_temp");
    instance = await DuckDBInstance.create();
  });
  afterAll(async () => {
    instance.closeSync();
    await client.end();
    await server.stop();
  });

  type Cells = readonly (readonly (string | null)[])[];
  async function ofDuckDb(type: string, values: readonly string[], cells: readonly string[]): Promise<Cells> {
    const connection = await instance.connect();
    try {
      await connection.run("SET TimeZone = 'UTC'");
      await connection.run(`CREATE OR REPLACE TEMP TABLE odd (i INTEGER, v ${type})`);
      for (let at = 0; at < values.length; at += 500) {
        const rows = values.slice(at, at + 500).map((value, n) => `(${at + n}, ${duckdb.text(value)})`);
        await connection.run(`INSERT INTO odd VALUES ${rows.join(", ")}`);
      }
      const reader = await connection.runAndReadAll(`SELECT ${cells.join(", ")} FROM odd ORDER BY i`);
      return reader.getRows() as Cells;
    } finally {
      connection.closeSync();
    }
  }
  async function ofPostgres(
    type: string,
    values: readonly string[],
    cells: readonly string[],
  ): Promise<Cells> {
    await client.query(`CREATE TEMP TABLE odd (i integer, v ${type})`);
    try {
      await client.query(
        `INSERT INTO pg_temp.odd SELECT place, value::${type} FROM unnest($1::text[]) WITH ORDINALITY AS t (value, place)`,
        [values],
      );
      const text = `SELECT ${cells.join(", ")} FROM pg_temp.odd ORDER BY i`;
      return (await client.query({ text, rowMode: "array" })).rows as Cells;
    } finally {
      await client.query("DROP TABLE pg_temp.odd");
    }
  }

  it(`${many} odd texts, under every declaration`, async () => {
    const dice = new Dice(firstSeed);
    const texts = Array.from({ length: many }, () => oddText(dice));
    const cells = (dialect: Dialect): string[] =>
      names.map((name) =>
        stored(dialect, declared[name]!, "odd.v", dialect === postgres ? "text" : undefined),
      );
    const [inDuckDb, inPostgres] = [
      await ofDuckDb("VARCHAR", texts, cells(duckdb)),
      await ofPostgres("text", texts, cells(postgres)),
    ];
    const differing: unknown[] = [];
    for (const [at, text] of texts.entries())
      for (const [n, name] of names.entries()) {
        const [a, b] = [inDuckDb[at]![n]!, inPostgres[at]![n]!];
        const meant = spelled(declared[name]!, clean(declared[name]!, text));
        if (a !== b || a !== meant) differing.push({ name, text, duckdb: a, postgres: b, meant });
      }
    expect(differing.slice(0, 20)).toEqual([]);
  });

  const doubles = [
    "0",
    "-0",
    "1",
    "1.5",
    "1e300",
    "-1e-300",
    "5e-324",
    "1000",
    "59.999999",
    "9007199254740993",
    "NaN",
    "Infinity",
    "-Infinity",
  ];
  const integers = ["0", "1", "-1", "2", "1000", "9007199254740993", "-9223372036854775808"];
  const days = ["2020-02-29", "0001-01-01", "9999-12-31", "1969-12-31", "infinity", "-infinity"];
  /** Native types by both engines' names, with values that each of them holds. */
  const natives: readonly (readonly [string, string, string, readonly string[]])[] = [
    ["DOUBLE", "float8", "float8", doubles],
    ["FLOAT", "float4", "float4", ["0", "-0", "1", "0.1", "1e38", "16777217", "NaN", "Infinity"]],
    ["BIGINT", "bigint", "int8", integers],
    ["SMALLINT", "smallint", "int2", ["0", "1", "-32768", "1000"]],
    [
      "DECIMAL(18, 3)",
      "numeric(18, 3)",
      "decimal",
      ["0", "-0.5", "1", "1.000", "1000", "59.999", "123456789012345.678"],
    ],
    ["BOOLEAN", "boolean", "bool", ["true", "false"]],
    ["DATE", "date", "date", days],
    ["TIMESTAMP", "timestamp", "timestamp", [...days, "2020-02-29 23:59:59.999999", "1969-12-31 23:59:59.5"]],
    [
      "TIMESTAMPTZ",
      "timestamptz",
      "timestamptz",
      ["2020-02-29 23:30:00-01", "1969-12-31 12:00:00+00", "infinity"],
    ],
    ["UUID", "uuid", "uuid", ["00000000-0000-0000-0000-00000000000A"]],
    ["TIME", "time", "time", ["12:30:00", "23:59:59.5", "00:00:00"]],
  ];

  it.each(natives)(
    "%s and %s, under every declaration that is accepted",
    async (type, typeThere, native, values) => {
      const asked = names.filter((name) => !refused(native, declared[name]!.type));
      const cells = (dialect: Dialect): string[] =>
        asked.map((name) =>
          stored(dialect, declared[name]!, "odd.v", dialect === postgres ? native : undefined),
        );
      const inDuckDb = await ofDuckDb(type, values, cells(duckdb));
      const inPostgres = await ofPostgres(typeThere, values, cells(postgres));
      const named = (cells: Cells): unknown =>
        values.map((value, at) => [value, ...asked.map((name, n) => `${name}: ${cells[at]![n]}`)]);
      expect(named(inDuckDb)).toEqual(named(inPostgres));
      expect(asked.length).toBeGreaterThan(0);
    },
  );
});

const times = ["date", "timestamp", "timestamptz"];
const numbers = ["float8", "float4", "int8", "int2", "decimal", "bool"];
/** Whether both engines refuse to read a type so (their check-schema.ts). */
function refused(native: string, as: ColumnPolicy["type"]): boolean {
  if (as === "text" || as === "boolean") return native.startsWith("float");
  if (as === "date" || as === "timestamp") return !times.includes(native);
  return !numbers.includes(native);
}
