import {
  type CompiledPublic,
  type PublicCell,
  type PublicRows,
  refuseColumnType,
  tooManyRows,
} from "@lethe/query";
import type { TrinoStatement } from "../client/run-statement.ts";
import type { TrinoCell, TrinoColumn } from "../client/trino-page.ts";
import { eachRow } from "../each-row.ts";

type Type = PublicRows["columns"][number]["type"];

const types: readonly (readonly [RegExp, Type])[] = [
  [/^(tinyint|smallint|integer|bigint|real|double|decimal\(.*)$/, "number"],
  [/^(varchar|char|uuid)\b/, "text"],
  [/^boolean$/, "boolean"],
  [/^date$/, "date"],
  [/^timestamp(\(\d+\))?$/, "timestamp"],
];

/** Reads rows of public tables. Errors: query.too-large, query.type; those of a statement. */
export async function readPublicRows(
  statement: TrinoStatement,
  { mostRows }: Pick<CompiledPublic, "mostRows">,
): Promise<PublicRows> {
  let columns: PublicRows["columns"] = [];
  const rows: PublicCell[][] = [];
  await eachRow(statement, (found) => {
    columns = found.map(columnOf);
    return (row) => {
      if (rows.length >= mostRows) tooManyRows(mostRows);
      rows.push(row.map((cell, at) => cellOf(cell, found[at]?.type, columns[at]?.type)));
    };
  });
  return { columns, rows };
}

function columnOf({ name, type }: TrinoColumn): PublicRows["columns"][number] {
  return { name, type: types.find(([pattern]) => pattern.test(type))?.[1] ?? refuseColumnType(name) };
}

function cellOf(cell: TrinoCell, native: string | undefined, type: Type | undefined): PublicCell {
  if (typeof cell !== "string") return cell;
  // Only the digits of a second that say something: 13:05:00.000 is 13:05:00.
  if (type === "timestamp")
    return cell.replace(/\.(\d*?)0*$/, (_, digits) => (digits === "" ? "" : `.${digits}`));
  if (type !== "number") return cell;
  const number = Number(cell);
  if (native === "bigint" && !Number.isSafeInteger(number)) return cell;
  return Number.isFinite(number) ? number + 0 : null;
}
