import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { LetheError } from "@lethe/core";
import type { TablePolicy } from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSchema, isScalar, usedColumns } from "./check-schema.ts";
import { policyOf } from "./testing/engine-fixture.ts";

const policy = (columns: string, unit = "row"): TablePolicy =>
  policyOf(`t: { file: t.parquet, unit: ${unit}, columns: { ${columns} } }`).tables.t!;

let connection: DuckDBConnection;
const logged: string[] = [];
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
});
afterAll(() => connection.closeSync());

const natives = [
  ["BIGINT", "DECIMAL(9, 2)", "BOOLEAN"],
  ["DOUBLE", "FLOAT"],
  ["DATE", "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP_NS"],
  ["TIME", "TIME WITH TIME ZONE"],
  ["VARCHAR", "ENUM ('a', 'b')"],
  ["UUID"],
] as const;
type Declared = "number" | "integer" | "date" | "timestamp" | "text" | "boolean";
const [exact, doubles, times, clocks, texts, marks] = natives;
const accepted: Readonly<Record<Declared, readonly string[]>> = {
  number: [...exact, ...doubles, ...texts, ...marks],
  integer: [...exact, ...doubles, ...texts, ...marks],
  date: [...times, ...texts],
  timestamp: [...times, ...texts],
  text: [...exact, ...times, ...clocks, ...texts, ...marks],
  boolean: [...exact, ...times, ...clocks, ...texts, ...marks],
};

/** Checks a table of one column; null where it is accepted. */
async function told(native: string, declared: string, isSnapshot = false): Promise<LetheError | null> {
  await connection.run(`CREATE OR REPLACE TABLE t (c ${native})`);
  const log = (detail: string): number => logged.push(detail);
  const of = policy(`c: { type: ${declared} }`);
  return checkSchema(connection, "people", of, ["memory", "main", "t"], log, isSnapshot).then(
    () => null,
    (error: LetheError) => error,
  );
}

describe("a column", () => {
  it.each(Object.entries(accepted))(
    "that is declared as %s is accepted of these types alone",
    async (declared, those) => {
      for (const native of natives.flat()) {
        const refusal = await told(native, declared);
        if (those.includes(native)) expect(refusal, native).toBeNull();
        else
          expect(refusal, native).toMatchObject({
            code: "engine.schema",
            message: "column c of people has a type that cannot be read as the policy declares it",
            fields: { table: "people", column: "c" },
          });
      }
    },
  );

  it("of nested values or bytes is refused, whatever it is declared as", async () => {
    for (const native of ["INTEGER[]", "STRUCT(a INTEGER)", "BLOB"])
      for (const [declared, isSnapshot] of [
        ["text", false],
        ["number", false],
        ["text", true],
      ] as const)
        expect(await told(native, declared, isSnapshot)).toMatchObject({
          code: "engine.schema",
          message: "column c of people has a type that cannot be asked",
          fields: { table: "people", column: "c" },
        });
  });

  it("of a snapshot is what import made of it: times are integers there", async () => {
    expect(await told("INTEGER", "date", true)).toBeNull();
    expect(await told("DOUBLE", "boolean", true)).toBeNull();
    expect(await told("INTEGER", "date")).toMatchObject({ code: "engine.schema" });
  });
});

describe("the columns that a policy reads", () => {
  it("are those that it declares, each once, the unit's among them", () => {
    const columns = "a: { type: text }, b: { type: text }";
    expect(usedColumns(policy(columns))).toEqual(["a", "b"]);
    expect(usedColumns(policy(columns, "b"))).toEqual(["a", "b"]);
  });

  it("must all be there, spelled alike; no other column is named", async () => {
    await connection.run('CREATE OR REPLACE TABLE t (a TEXT, "Who" TEXT, hidden BLOB)');
    const check = (columns: string): Promise<Readonly<Record<string, string>>> =>
      checkSchema(connection, "people", policy(columns), ["memory", "main", "t"], () => undefined);
    await expect(check("a: { type: text }, Who: { type: text }")).resolves.toEqual({
      a: "VARCHAR",
      Who: "VARCHAR",
    });
    const refusal = await check("a: { type: text }, who: { type: text }").catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "engine.schema",
      message: "the file of people has no column who",
      fields: { table: "people", column: "who" },
    });
    expect(JSON.stringify(refusal)).not.toContain("hidden");
  });

  it("are looked for in a relation that must be there; what DuckDB says is for the log alone", async () => {
    const log: string[] = [];
    const of = policy("a: { type: text }");
    const told = checkSchema(connection, "people", of, ["memory", "main", "none"], (line) => log.push(line));
    await expect(told).rejects.toMatchObject({
      code: "engine.schema",
      message: "the file of people has no relation none",
      fix: "state the table's relation in the policy, as it is called in the file",
      fields: { table: "people", relation: "none" },
    });
    expect(log).toEqual([expect.stringMatching(/^people: .*none/)]);
  });
});

it("nested types, bytes and spans of time are no scalars; all others are", () => {
  const nested = [
    ...[
      "STRUCT(a INTEGER)",
      "MAP(VARCHAR, INTEGER)",
      "UNION(a INTEGER)",
      "BLOB",
      "BIT",
      "VARIANT",
      "GEOMETRY",
    ],
    ...["JSON", "INTERVAL", "ANY", "BIGNUM", "INTEGER[]", "VARCHAR[3]", "ENUM('a')[]", "STRUCT(a INTEGER)[]"],
  ];
  for (const type of nested) expect(isScalar(type), type).toBe(false);
  const scalars = [
    "INTEGER",
    "BIGINT",
    "DOUBLE",
    "DECIMAL(9,2)",
    "VARCHAR",
    "DATE",
    "TIMESTAMP",
    "TIME",
    "UUID",
  ];
  for (const type of [...scalars, "BOOLEAN", "ENUM('MAP', 'a]')", "TIMESTAMP WITH TIME ZONE"])
    expect(isScalar(type), type).toBe(true);
});
