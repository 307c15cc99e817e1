import { type DuckDBConnection, type DuckDBValue, DuckDBTypeId as Id } from "@duckdb/node-api";
import type { CompiledPublic, PublicCell, PublicRows } from "@lethe/query";
import { refuseColumnType, tooManyRows } from "@lethe/query";
import { chunksOf } from "./chunks-of.ts";

type Type = PublicRows["columns"][number]["type"];

/** Reads rows of public tables. Errors: query.too-large, query.type; throws whatever the database says. */
export async function readPublicRows(
  connection: DuckDBConnection,
  { sql, mostRows }: CompiledPublic,
): Promise<PublicRows> {
  const statement = await connection.prepare(sql);
  const result = await statement.stream();
  const columns = result.columnNames().map((name, at) => {
    const type = typeOf(result.columnTypeId(at));
    return { name, type: type ?? refuseColumnType(name) };
  });
  const rows: PublicCell[][] = [];
  for await (const chunk of chunksOf(result)) {
    if (rows.length + chunk.rowCount > mostRows) tooManyRows(mostRows);
    rows.push(...chunk.getRows().map((row) => row.map(cellOf)));
  }
  return { columns, rows };
}

const types: ReadonlyMap<number, Type> = new Map([
  ...[Id.TINYINT, Id.SMALLINT, Id.INTEGER, Id.BIGINT, Id.HUGEINT].map((id) => [id, "number"] as const),
  ...[Id.UTINYINT, Id.USMALLINT, Id.UINTEGER, Id.UBIGINT, Id.UHUGEINT].map((id) => [id, "number"] as const),
  ...[Id.FLOAT, Id.DOUBLE, Id.DECIMAL].map((id) => [id, "number"] as const),
  ...[Id.VARCHAR, Id.ENUM, Id.UUID, Id.SQLNULL].map((id) => [id, "text"] as const),
  ...[Id.TIMESTAMP, Id.TIMESTAMP_S, Id.TIMESTAMP_MS].map((id) => [id, "timestamp"] as const),
  [Id.BOOLEAN, "boolean"],
  [Id.DATE, "date"],
]);

function typeOf(id: number): Type | null {
  return types.get(id) ?? null;
}

function cellOf(value: DuckDBValue): PublicCell {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint")
    return value === BigInt(Number(value)) && Number.isSafeInteger(Number(value))
      ? Number(value)
      : String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  // Decimals, dates and timestamps spell themselves.
  const text = String(value);
  return "scale" in value ? Number(text) : text;
}
