import type { FlatAnswer, FlatValue } from "@lethe/serve/formats";
import {
  Bool,
  type DataType,
  Float64,
  Table,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from "apache-arrow";

/**
 * Writes a flat answer in Arrow's streaming format. A column is of doubles or of booleans where every value that is there is one, and of texts elsewhere: its type is a function
 * of what was released. A name that stands before already gets a number, since a reader finds columns by their names.
 */
export function arrowOf({ names, rows }: FlatAnswer): Uint8Array<ArrayBuffer> {
  const all = [...rows()];
  const columns: Record<string, Vector> = Object.create(null);
  for (const [at, name] of names.entries())
    columns[free(name, columns)] = vectorOf(all.map((row) => row[at] ?? null));
  return new Uint8Array(tableToIPC(new Table(columns), "stream"));
}

function vectorOf(values: readonly FlatValue[]): Vector {
  const there = values.filter((value) => value !== null);
  const are = (type: string): boolean => there.length > 0 && there.every((value) => typeof value === type);
  const of = (type: DataType, cells: readonly unknown[]): Vector => vectorFromArray(cells, type);
  if (are("number")) return of(new Float64(), values);
  if (are("boolean")) return of(new Bool(), values);
  return of(
    new Utf8(),
    values.map((value) => (value === null ? null : String(value))),
  );
}

function free(name: string, taken: Readonly<Record<string, unknown>>): string {
  if (!(name in taken)) return name;
  let number = 2;
  while (`${name}_${number}` in taken) number += 1;
  return `${name}_${number}`;
}
