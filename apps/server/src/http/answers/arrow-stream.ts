import type { FlatAnswer, FlatValue } from "@lethe/serve/formats";
import {
  Bool,
  type DataType,
  Field,
  Float64,
  RecordBatch,
  Schema,
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
  const vectors = names.map((_, at) => vectorOf(all.map((row) => row[at] ?? null)));
  return new Uint8Array(tableToIPC(tableOf(apart(names), vectors), "stream"));
}

/** A table made from an object of columns has those whose names are numbers first, so that it is made under names of ours and gets its own afterwards. */
function tableOf(names: readonly string[], vectors: readonly Vector[]): Table {
  const ours = new Table(Object.fromEntries(vectors.map((vector, at) => [`column ${at}`, vector])));
  const schema = new Schema(
    ours.schema.fields.map(({ type, nullable }, at) => new Field(names[at] as string, type, nullable)),
  );
  return new Table(
    schema,
    ours.batches.map((batch) => new RecordBatch(schema, batch.data)),
  );
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

function apart(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  for (const name of names) {
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
    taken.add(free);
  }
  return [...taken];
}
