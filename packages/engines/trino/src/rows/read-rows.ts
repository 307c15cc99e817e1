import type { ExactGroup, ExactRows, KeyValue } from "@lethe/core/mechanisms";
import type { CompiledQuery } from "@lethe/query";
import type { TrinoStatement } from "../client/run-statement.ts";
import type { TrinoCell, TrinoColumn, TrinoRow } from "../client/trino-page.ts";
import { eachRow } from "../each-row.ts";

const integerType = /^(tinyint|smallint|integer|bigint)$/;
const decimalType = /^decimal\(/;
const doubleType = /^(double|real)$/;
const textType = /^(varchar|char)\b/;

/**
 * Runs a compiled statement and reads k0 …, units, s0 … row by row as they come. Rejects on anything that is not of this
 * shape, and on more groups than may be; the caller hides it.
 */
export async function readRows(
  statement: TrinoStatement,
  query: Pick<CompiledQuery, "keys" | "sums">,
  maxGroups: number,
): Promise<ExactRows> {
  const groups: ExactGroup[] = [];
  await eachRow(statement, (columns) => {
    const read = groupReader(columns, query);
    return (row) => {
      if (!(groups.length < maxGroups)) throw new Error(`more than ${maxGroups} groups`);
      groups.push(read(row));
    };
  });
  return { groups };
}

function groupReader(
  columns: readonly TrinoColumn[],
  { keys, sums }: Pick<CompiledQuery, "keys" | "sums">,
): (row: TrinoRow) => ExactGroup {
  const width = keys + 1 + sums;
  if (columns.length !== width) throw new Error(`expected ${width} columns, got ${columns.length}`);
  const keyReaders = columns.slice(0, keys).map(({ type }) => keyReader(type));
  for (const { type } of columns.slice(keys)) {
    // SELECT NULL, and a sum that the planner knows to be none, have no type.
    if (!integerType.test(type) && !decimalType.test(type) && type !== "unknown")
      throw new Error("a sum is not a number");
  }
  return (row) => ({
    key: keyReaders.map((read, at) => read(row[at])),
    units: integer(row[keys]),
    sums: row.slice(keys + 1).map(integer),
  });
}

function keyReader(type: string): (cell: TrinoCell | undefined) => KeyValue {
  const present = presentReader(type);
  return (cell) => (cell === null || cell === undefined ? null : present(cell));
}

function presentReader(type: string): (cell: string | boolean) => KeyValue {
  if (integerType.test(type)) return (cell) => BigInt(textOf(cell));
  if (textType.test(type)) return textOf;
  if (type === "boolean") return booleanOf;
  // No value has this type but NULL.
  if (type === "unknown") return textOf;
  if (doubleType.test(type))
    return (cell) => {
      // Compiled SQL maps NaN and ±Inf to NULL already; −0 and 0 are one key.
      const value = Number(textOf(cell));
      return Number.isFinite(value) ? value + 0 : null;
    };
  throw new Error("a key is neither text, number nor boolean");
}

function textOf(cell: string | boolean): string {
  if (typeof cell === "string") return cell;
  throw new Error("a value is not of its column's type");
}

function booleanOf(cell: string | boolean): boolean {
  if (typeof cell === "boolean") return cell;
  throw new Error("a value is not of its column's type");
}

/** An integer of any size; 0 for the SUM over no rows at all. BigInt throws for what has a fraction. */
function integer(cell: TrinoCell | undefined): bigint {
  if (cell === null || cell === undefined) return 0n;
  return BigInt(textOf(cell));
}
