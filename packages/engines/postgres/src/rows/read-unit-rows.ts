import { GatheredRows, type UnitRows } from "@lethe/core/mechanisms";
import type { CompiledRows } from "@lethe/query";
import type { PoolClient } from "pg";
import { eachRow } from "./each-row.ts";

const double = 701;

/**
 * Runs a compiled statement and reads u, x0 … row by row as they come. Rejects on anything that is not of this shape; the caller hides
 * it. `stop` must end the statement: it is called when there are too many rows.
 */
export async function readUnitRows(
  client: PoolClient,
  query: CompiledRows,
  seed: string,
  maxValues: number,
  stop: () => void,
): Promise<UnitRows> {
  const first = query.numbersUnits ? 1 : 0;
  const width = first + query.columns;
  const gathered = new GatheredRows(query.columns, maxValues);
  let rows = 0;
  await eachRow(client, query, seed, stop, (fields) => {
    if (fields.length !== width) throw new Error(`expected ${width} columns, got ${fields.length}`);
    if (fields.some(({ dataTypeID }) => dataTypeID !== double)) throw new Error("a column is not of doubles");
    return (row) => {
      rows += 1;
      gathered.add(query.numbersUnits ? numberOf(row[0]) : rows, (column) => numberOf(row[first + column]));
    };
  });
  return gathered.finish();
}

function numberOf(text: string | null | undefined): number {
  return text === null || text === undefined ? Number.NaN : Number(text);
}
