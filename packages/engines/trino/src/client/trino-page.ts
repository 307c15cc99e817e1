import { numbersAsTexts } from "./numbers-as-texts.ts";
import { TrinoFailure } from "./trino-failure.ts";

/** A value of a row: numbers, decimals and times as Trino spells them. */
export type TrinoCell = string | boolean | null;
export type TrinoRow = readonly TrinoCell[];

/** A column of a result; the type as Trino spells it, such as decimal(38,0). */
export interface TrinoColumn {
  readonly name: string;
  readonly type: string;
}

/** One answer of the protocol of statements. */
export interface TrinoPage {
  /** Null until the statement is analyzed. */
  readonly columns: readonly TrinoColumn[] | null;
  readonly rows: readonly TrinoRow[];
  /** What to ask next; null at the end. */
  readonly nextUri: string | null;
}

/**
 * Reads an answer. Rows that lie elsewhere (the spooling protocol, which is never asked for) are refused, and so is whatever is not of this shape.
 * Errors: TrinoFailure where the statement failed; Error, without any part of the answer.
 */
export function readPage(body: string): TrinoPage {
  const page = numbersAsTexts(body);
  if (!isObject(page)) throw malformed("it is no object");
  if (page.error !== undefined && page.error !== null) throw failureOf(page.error);
  const nextUri = page.nextUri ?? null;
  if (nextUri !== null && typeof nextUri !== "string") throw malformed("nextUri");
  const columns = page.columns === undefined || page.columns === null ? null : columnsOf(page.columns);
  return { columns, rows: rowsOf(page.data, columns), nextUri };
}

function failureOf(error: unknown): TrinoFailure {
  if (!isObject(error)) return new TrinoFailure("UNKNOWN", "");
  const { errorName, message } = error;
  const name = typeof errorName === "string" && /^[A-Z0-9_]{1,80}$/.test(errorName) ? errorName : "UNKNOWN";
  return new TrinoFailure(name, typeof message === "string" ? message : "");
}

function columnsOf(columns: unknown): readonly TrinoColumn[] {
  if (!Array.isArray(columns)) throw malformed("columns");
  return columns.map((column: unknown) => {
    if (!isObject(column) || typeof column.name !== "string" || typeof column.type !== "string")
      throw malformed("a column");
    return { name: column.name, type: column.type };
  });
}

function rowsOf(data: unknown, columns: readonly TrinoColumn[] | null): readonly TrinoRow[] {
  if (data === undefined || data === null) return [];
  if (!Array.isArray(data)) throw malformed("rows that lie elsewhere");
  if (columns === null) throw malformed("rows without columns");
  for (const row of data as readonly unknown[]) {
    if (!Array.isArray(row) || row.length !== columns.length || !row.every(isCell)) throw malformed("a row");
  }
  return data as readonly TrinoRow[];
}

function isCell(value: unknown): value is TrinoCell {
  return value === null || typeof value === "string" || typeof value === "boolean";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function malformed(part: string): Error {
  return new Error(`an answer is not of Trino's protocol: ${part}`);
}
