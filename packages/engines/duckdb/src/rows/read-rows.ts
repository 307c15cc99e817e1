import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBPreparedStatement,
  DuckDBValue,
} from "@duckdb/node-api";
import type { ExactGroup, ExactRows, KeyValue } from "@lethe/core/mechanisms";
import type { CompiledQuery } from "@lethe/query";
import { chunksOf } from "./chunks-of.ts";

/** Runs a compiled statement and reads k0 …, units, s0 …. Throws on anything that is not of this shape; the caller hides it. */
export async function readRows(
  connection: DuckDBConnection,
  query: CompiledQuery,
  seed: string,
  maxGroups: number,
): Promise<ExactRows> {
  const statement = await withKeysAsBytes(connection, query);
  if (query.needsSeed) statement.bind([seed]);
  const result = await statement.stream();
  const width = query.keys + 1 + query.sums;
  if (result.columnCount !== width) throw new Error(`expected ${width} columns, got ${result.columnCount}`);
  const groups: ExactGroup[] = [];
  for await (const chunk of chunksOf(result)) {
    if (!(groups.length + chunk.rowCount <= maxGroups)) throw new Error(`more than ${maxGroups} groups`);
    appendGroups(groups, chunk, query.keys);
  }
  return { groups };
}

/**
 * Texts leave DuckDB as bytes: its JavaScript client drops a byte order mark from the front of a text, so that two keys
 * become one, and which of their groups is answered would depend on a single row. What the plan calls a text is asked
 * for so at once; the database has the last word.
 */
async function withKeysAsBytes(
  connection: DuckDBConnection,
  query: CompiledQuery,
): Promise<DuckDBPreparedStatement> {
  const { keys, textKeys = [] } = query;
  const statement = await connection.prepare(asBytes(query, textKeys));
  const others = Array.from({ length: keys }, (_, at) => at).filter(
    (at) => at < statement.columnCount && statement.columnTypeId(at) === varchar,
  );
  if (others.length === 0) return statement;
  statement.destroySync();
  return connection.prepare(asBytes(query, [...textKeys, ...others]));
}

function asBytes({ sql, keys, sums }: CompiledQuery, texts: readonly number[]): string {
  if (texts.length === 0) return sql;
  const names = Array.from({ length: keys + 1 + sums }, (_, at) => `c${at}`);
  const columns = names.map((name, at) => (texts.includes(at) ? `encode(answer.${name})` : `answer.${name}`));
  return `SELECT ${columns.join(", ")} FROM (${sql}) AS answer(${names.join(", ")})`;
}

const varchar = 17;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function appendGroups(groups: ExactGroup[], chunk: DuckDBDataChunk, keys: number): void {
  const integers = new Set(Array.from({ length: keys }, (_, k) => k).filter((k) => isInteger(chunk, k)));
  for (const row of chunk.getRows()) {
    groups.push({
      key: row.slice(0, keys).map((value, k) => keyValue(value, integers.has(k))),
      units: integer(row[keys]),
      sums: row.slice(keys + 1).map(integer),
    });
  }
}

// TINYINT … INTEGER and their unsigned kin arrive as numbers, as do FLOAT and DOUBLE: only the type tells them apart.
const integerTypes: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 7, 8, 9, 16, 32]);

function isInteger(chunk: DuckDBDataChunk, column: number): boolean {
  return integerTypes.has(chunk.getColumnVector(column).type.typeId);
}

function keyValue(value: DuckDBValue, isIntegerType: boolean): KeyValue {
  if (
    value === null ||
    typeof value === "string" ||
    typeof value === "boolean" ||
    typeof value === "bigint"
  ) {
    return value;
  }
  if (typeof value === "object" && "bytes" in value) return utf8.decode(value.bytes as Uint8Array);
  if (typeof value !== "number") throw new Error("a key is neither text, number nor boolean");
  if (isIntegerType) return BigInt(value);
  // Compiled SQL maps NaN and ±Inf to NULL already; −0 and 0 are one key.
  return Number.isFinite(value) ? value + 0 : null;
}

function integer(value: DuckDBValue | undefined): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  // SUM over no rows at all.
  if (value === null) return 0n;
  throw new Error("a sum is not an integer");
}
