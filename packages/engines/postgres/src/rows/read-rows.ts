import type { ExactGroup, ExactRows, KeyValue } from "@lethe/core/mechanisms";
import type { CompiledQuery } from "@lethe/query";
import type { PoolClient } from "pg";
import { eachRow, type ResultField, type TextRow } from "./each-row.ts";

/** Types by their fixed numbers in pg_type. */
const integerTypes: ReadonlySet<number> = new Set([20, 21, 23]);
const doubleTypes: ReadonlySet<number> = new Set([700, 701]);
const textTypes: ReadonlySet<number> = new Set([25, 1042, 1043]);
const numericType = 1700;
const booleanType = 16;

/** Reads one value of a row as text; it must be there. */
type Parse<T> = (text: string | null | undefined) => T;

/**
 * Runs a compiled statement and reads k0 …, units, s0 … row by row as they come. Rejects on anything that is not of this
 * shape; the caller hides it. `stop` must end the statement: it is called when the result is already known to be wrong.
 */
export async function readRows(
  client: PoolClient,
  query: CompiledQuery,
  seed: string,
  maxGroups: number,
  stop: () => void,
): Promise<ExactRows> {
  const groups: ExactGroup[] = [];
  await eachRow(client, query, seed, stop, (fields) => {
    const parsers = rowParsers(fields, query);
    return (row) => {
      if (!(groups.length < maxGroups)) throw new Error(`more than ${maxGroups} groups`);
      groups.push(parsers.group(row));
    };
  });
  return { groups };
}

interface RowParsers {
  readonly group: (row: TextRow) => ExactGroup;
}

function rowParsers(fields: readonly ResultField[], { keys, sums }: CompiledQuery): RowParsers {
  const width = keys + 1 + sums;
  if (fields.length !== width) throw new Error(`expected ${width} columns, got ${fields.length}`);
  const keyParsers = fields.slice(0, keys).map(({ dataTypeID }) => keyParser(dataTypeID));
  for (const { dataTypeID } of fields.slice(keys)) {
    if (!integerTypes.has(dataTypeID) && dataTypeID !== numericType) throw new Error("a sum is not a number");
  }
  return {
    group: (row) => ({
      key: keyParsers.map((parse, at) => parse(row[at])),
      units: integer(row[keys]),
      sums: row.slice(keys + 1).map(integer),
    }),
  };
}

function keyParser(type: number): Parse<KeyValue> {
  const present = presentParser(type);
  return (text) => {
    if (text === undefined) throw new Error("a row has no value for a key");
    return text === null ? null : present(text);
  };
}

function presentParser(type: number): (text: string) => KeyValue {
  if (integerTypes.has(type)) return (text) => BigInt(text);
  if (textTypes.has(type)) return (text) => text;
  if (type === booleanType) return (text) => text === "t";
  if (doubleTypes.has(type))
    return (text) => {
      // Compiled SQL maps NaN and ±Inf to NULL already; −0 and 0 are one key.
      const value = Number(text);
      return Number.isFinite(value) ? value + 0 : null;
    };
  throw new Error("a key is neither text, number nor boolean");
}

/** An integer of any size; 0 for the SUM over no rows at all. BigInt throws for what has a fraction. */
function integer(text: string | null | undefined): bigint {
  if (text === undefined) throw new Error("a row has no value for a sum");
  return text === null ? 0n : BigInt(text);
}
