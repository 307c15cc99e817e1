import {
  type CompiledPublic,
  type PublicCell,
  type PublicRows,
  refuseColumnType,
  tooManyRows,
} from "@lethe/query";
import type { PoolClient } from "pg";
import { eachRow, type ResultField } from "./each-row.ts";

type Type = PublicRows["columns"][number]["type"];

/** Types by their fixed numbers in pg_type. */
const types: ReadonlyMap<number, Type> = new Map([
  ...[20, 21, 23, 26, 700, 701, 1700].map((id) => [id, "number"] as const),
  ...[18, 19, 25, 1042, 1043, 2950].map((id) => [id, "text"] as const),
  [16, "boolean"],
  [1082, "date"],
  [1114, "timestamp"],
]);
const bigintType = 20;

/** Reads rows of public tables. Errors: query.too-large, query.type; rejects with whatever the database says. */
export async function readPublicRows(
  client: PoolClient,
  { sql, mostRows }: CompiledPublic,
  stop: () => void,
): Promise<PublicRows> {
  let columns: PublicRows["columns"] = [];
  const rows: PublicCell[][] = [];
  await eachRow(client, { sql, needsSeed: false }, "", stop, (fields) => {
    columns = fields.map(columnOf);
    const ids = fields.map(({ dataTypeID }) => dataTypeID);
    return (row) => {
      if (rows.length >= mostRows) tooManyRows(mostRows);
      rows.push(row.map((text, at) => (text === null ? null : cellOf(text, ids[at], columns[at]?.type))));
    };
  });
  return { columns, rows };
}

function columnOf({ name, dataTypeID }: ResultField): PublicRows["columns"][number] {
  return { name, type: types.get(dataTypeID) ?? refuseColumnType(name) };
}

function cellOf(text: string, id: number | undefined, type: Type | undefined): PublicCell {
  if (type === "boolean") return text === "t";
  if (type !== "number") return text;
  const number = Number(text);
  if (id === bigintType && !Number.isSafeInteger(number)) return text;
  return Number.isFinite(number) ? number + 0 : null;
}
