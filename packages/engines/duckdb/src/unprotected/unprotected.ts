import type { DuckDBAppender, DuckDBConnection } from "@duckdb/node-api";
import { LetheError } from "@lethe/core";
import { openInstance } from "../instance.ts";
import type { EngineLimits } from "../limits.ts";
import { quoteText } from "../quote.ts";

/** A table of invented people. A row has a cell for each column, in their order. */
export interface InventedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: "integer" | "number" | "text" }[];
  readonly rows: readonly (readonly (number | string | null)[])[];
}

/** The rows that a database answers without any protection. */
export interface UnprotectedRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (number | string | boolean | null)[])[];
}

/**
 * A plain DuckDB over invented rows that answers every question: attacks are shown to succeed on it. It takes no file, so that no
 * real data can come here. Errors of `ask` are DuckDB's own.
 */
export interface Unprotected {
  ask(sql: string): Promise<UnprotectedRows>;
  /** Writes the same rows as a Parquet file, for an engine that protects them. */
  writeParquet(table: string, path: string): Promise<void>;
  close(): void;
}

/**
 * Opens one over these tables. Errors: parameter.invalid for a name that is no plain word.
 * @example const naive = await openUnprotected([{ name: "people", columns: [{ name: "id", type: "integer" }], rows: [[1]] }], limits);
 */
export async function openUnprotected(
  tables: readonly InventedTable[],
  limits: EngineLimits,
): Promise<Unprotected> {
  const instance = await openInstance(limits);
  const connection = await instance.connect();
  for (const table of tables) await fill(connection, table);
  return {
    async ask(sql) {
      const answered = await connection.runAndReadAll(sql);
      return {
        columns: answered.columnNames(),
        rows: answered.getRowsJson().map((row) => row.map(plain)),
      };
    },
    async writeParquet(table, path) {
      await connection.run(`COPY "${word(table)}" TO ${quoteText(path)} (FORMAT parquet)`);
    },
    close() {
      connection.closeSync();
      instance.close();
    },
  };
}

const types = { integer: "BIGINT", number: "DOUBLE", text: "VARCHAR" } as const;

async function fill(connection: DuckDBConnection, { name, columns, rows }: InventedTable): Promise<void> {
  const declared = columns.map((column) => `"${word(column.name)}" ${types[column.type]}`);
  await connection.run(`CREATE TABLE "${word(name)}" (${declared.join(", ")})`);
  const appender = await connection.createAppender(name);
  for (const row of rows) {
    for (const [at, column] of columns.entries()) append(appender, column.type, row[at] ?? null);
    appender.endRow();
  }
  appender.closeSync();
}

function append(
  appender: DuckDBAppender,
  type: InventedTable["columns"][number]["type"],
  cell: number | string | null,
): void {
  if (cell === null) appender.appendNull();
  else if (type === "integer") appender.appendBigInt(BigInt(cell));
  else if (type === "number") appender.appendDouble(Number(cell));
  else appender.appendVarchar(String(cell));
}

/** JSON writes 64-bit integers as texts of digits; counts of invented people fit a number. */
function plain(cell: unknown): number | string | boolean | null {
  if (typeof cell === "string" && /^-?\d{1,15}$/.test(cell)) return Number(cell);
  if (cell === null || ["number", "string", "boolean"].includes(typeof cell)) {
    return cell as number | string | boolean | null;
  }
  return JSON.stringify(cell);
}

function word(name: string): string {
  if (/^[a-z_][a-z0-9_]*$/.test(name)) return name;
  throw new LetheError("parameter.invalid", "an invented table or column has a name that is no plain word", {
    fix: "use letters, digits and _",
  });
}
