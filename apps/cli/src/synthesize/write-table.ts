import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { LetheError } from "@lethe/core";
import type { SyntheticColumn, SyntheticTable, SyntheticValue } from "./synthetic-table.ts";

export type TableFormat = "csv" | "parquet";

/** The format that a file's name asks for. Errors: cli.usage for another. */
export function tableFormat(path: string): TableFormat {
  const [, ending] = /\.(csv|parquet)$/i.exec(path) ?? [];
  if (ending) return ending.toLowerCase() === "csv" ? "csv" : "parquet";
  throw new LetheError("cli.usage", `--out ${path} is neither a .csv nor a .parquet`, {
    fix: "name the table with one of these endings, as in --out synthetic.csv",
  });
}

/** Writes a table into a new file; an existing one is left alone. Errors: those of the file system. */
export async function writeTable(path: string, table: SyntheticTable, count: number): Promise<void> {
  const write = { csv: writeCsv, parquet: writeParquet }[tableFormat(path)];
  await write(path, table, count);
}

const chunkLength = 1 << 20;

/** RFC 4180, but for lines that end in \n: NULL is an empty field, an empty text a quoted one. Values are data and are written as they are. */
async function writeCsv(path: string, { columns, rows }: SyntheticTable, count: number): Promise<void> {
  const file = openSync(path, "wx");
  try {
    let text = `${columns.map(({ name }) => field(name)).join(",")}\n`;
    for (const row of rows(count)) {
      text += `${row.map(field).join(",")}\n`;
      if (text.length < chunkLength) continue;
      writeSync(file, text);
      text = "";
    }
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

function field(value: SyntheticValue): string {
  if (value === null) return "";
  const text = String(value);
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const duckDbTypes: Readonly<Record<SyntheticColumn["type"], string>> = {
  text: "VARCHAR",
  boolean: "BOOLEAN",
  integer: "BIGINT",
  number: "DOUBLE",
};

/** Loads a database in memory, which writes the file. */
async function writeParquet(path: string, { columns, rows }: SyntheticTable, count: number): Promise<void> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  // Only a file that was not there is written over.
  writeFileSync(path, "", { flag: "wx" });
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  try {
    const connection = await instance.connect();
    const types = columns.map(({ name, type }) => `"${name.replaceAll('"', '""')}" ${duckDbTypes[type]}`);
    await connection.run(`CREATE TABLE synthetic (${types.join(", ")})`);
    const appender = await connection.createAppender("synthetic");
    for (const row of rows(count)) {
      for (const [at, value] of row.entries()) {
        if (value === null) appender.appendNull();
        else if (typeof value === "string") appender.appendVarchar(value);
        else if (typeof value === "boolean") appender.appendBoolean(value);
        else if (columns[at]?.type === "integer") appender.appendBigInt(BigInt(value));
        else appender.appendDouble(value);
      }
      appender.endRow();
    }
    appender.closeSync();
    await connection.run(`COPY synthetic TO '${resolve(path).replaceAll("'", "''")}' (FORMAT parquet)`);
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}
