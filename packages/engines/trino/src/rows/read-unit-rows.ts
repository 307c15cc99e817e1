import { GatheredRows, type UnitRows } from "@lethe/core/mechanisms";
import type { CompiledRows } from "@lethe/query";
import type { TrinoStatement } from "../client/run-statement.ts";
import type { TrinoCell } from "../client/trino-page.ts";
import { eachRow } from "../each-row.ts";

/** Runs a compiled statement and reads u, x0 … row by row as they come. Rejects on anything that is not of this shape, and on more rows than may be; the caller hides it. */
export async function readUnitRows(
  statement: TrinoStatement,
  { numbersUnits, columns: asked }: Pick<CompiledRows, "numbersUnits" | "columns">,
  maxValues: number,
): Promise<UnitRows> {
  const first = numbersUnits ? 1 : 0;
  const width = first + asked;
  const gathered = new GatheredRows(asked, maxValues);
  let rows = 0;
  await eachRow(statement, (columns) => {
    if (columns.length !== width) throw new Error(`expected ${width} columns, got ${columns.length}`);
    if (columns.some(({ type }) => type !== "double")) throw new Error("a column is not of doubles");
    return (row) => {
      rows += 1;
      gathered.add(numbersUnits ? numberOf(row[0]) : rows, (column) => numberOf(row[first + column]));
    };
  });
  return gathered.finish();
}

function numberOf(cell: TrinoCell | undefined): number {
  return typeof cell === "string" ? Number(cell) : Number.NaN;
}
