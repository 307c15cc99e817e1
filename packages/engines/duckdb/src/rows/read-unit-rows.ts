import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import { GatheredRows, type UnitRows } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import type { CompiledRows } from "@lethe/query";
import { chunksOf } from "./chunks-of.ts";

const double = 11;

/** Runs a compiled statement and reads u, x0 … chunk by chunk. Throws on anything that is not of this shape; the caller hides it. */
export async function readUnitRows(
  connection: DuckDBConnection,
  query: CompiledRows,
  seed: string,
  maxValues: number,
): Promise<UnitRows> {
  const statement = await connection.prepare(query.sql);
  if (query.needsSeed) statement.bind([seed]);
  const result = await statement.stream();
  const first = query.numbersUnits ? 1 : 0;
  const width = first + query.columns;
  if (result.columnCount !== width) throw new Error(`expected ${width} columns, got ${result.columnCount}`);
  for (let at = 0; at < width; at += 1)
    if (result.columnTypeId(at) !== double) throw new Error(`column ${at} is not of doubles`);
  const gathered = new GatheredRows(query.columns, maxValues);
  let rows = 0;
  for await (const chunk of chunksOf(result)) {
    const vectors = Array.from({ length: width }, (_, at) => chunk.getColumnVector(at));
    for (let row = 0; row < chunk.rowCount; row += 1) {
      rows += 1;
      const unit = query.numbersUnits ? numberOf(elementAt(vectors, 0).getItem(row)) : rows;
      gathered.add(unit, (column) => numberOf(elementAt(vectors, first + column).getItem(row)));
    }
  }
  return gathered.finish();
}

function numberOf(value: DuckDBValue): number {
  return typeof value === "number" ? value : Number.NaN;
}
