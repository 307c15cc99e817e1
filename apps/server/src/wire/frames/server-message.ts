import type { Format } from "./client-message.ts";

/** A column as it is described to a client. */
export interface DescribedColumn {
  readonly name: string;
  /** The number of its type in PostgreSQL, and the bytes of a value: -1 where they vary. */
  readonly oid: number;
  readonly size: number;
  /** What the type states beside its name; -1 where that is nothing. */
  readonly typmod: number;
  readonly format: Format;
}

/** The fields of an error or a notice, by their letters. */
export type Fields = Readonly<Record<string, string>>;

type Part = { readonly int16: number } | { readonly int32: number } | string | Uint8Array;

/** The bytes of a message's letter and length. */
const headSize = 5;

function message(kind: string, ...parts: readonly Part[]): Buffer {
  const bytes = begun(
    kind,
    parts.reduce((sum, part) => sum + sizeOf(part), 0),
  );
  let at = headSize;
  for (const part of parts) at = put(bytes, part, at);
  return bytes;
}

/** Returns a message whose body is not yet written. */
function begun(kind: string, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(headSize + size);
  bytes.write(kind, 0, "latin1");
  bytes.writeInt32BE(size + 4, 1);
  return bytes;
}

/** A text ends with a zero: what it holds of these itself is left out. */
const ended = (text: string): string => `${text.includes("\0") ? text.replaceAll("\0", "") : text}\0`;

function sizeOf(part: Part): number {
  if (typeof part === "string") return Buffer.byteLength(ended(part), "utf8");
  if (part instanceof Uint8Array) return part.length;
  return "int16" in part ? 2 : 4;
}

/** Writes a part, and returns the place after it. */
function put(bytes: Buffer, part: Part, at: number): number {
  if (typeof part === "string") return at + bytes.write(ended(part), at, "utf8");
  if (part instanceof Uint8Array) {
    bytes.set(part, at);
    return at + part.length;
  }
  return "int16" in part ? bytes.writeInt16BE(part.int16, at) : bytes.writeInt32BE(part.int32, at);
}

/** Rows are most of what is sent, so that they are written without parts. */
function rowMessage(values: readonly (Uint8Array | null)[]): Buffer {
  let size = 2;
  for (const value of values) size += 4 + (value?.length ?? 0);
  const bytes = begun("D", size);
  let at = bytes.writeInt16BE(values.length, headSize);
  for (const value of values) {
    at = bytes.writeInt32BE(value?.length ?? -1, at);
    if (value === null) continue;
    bytes.set(value, at);
    at += value.length;
  }
  return bytes;
}

const code = (format: Format): Part => ({ int16: format === "text" ? 0 : 1 });
const authentication = (step: number, ...parts: readonly Part[]): Buffer =>
  message("R", { int32: step }, ...parts);

/** The messages of the service, in PostgreSQL's protocol, version 3. */
export const serverMessage = {
  authenticated: (): Buffer => authentication(0),
  askPassword: (): Buffer => authentication(3),
  offerSasl: (mechanisms: readonly string[]): Buffer => authentication(10, ...mechanisms, Uint8Array.of(0)),
  continueSasl: (data: string): Buffer => authentication(11, Buffer.from(data, "utf8")),
  endSasl: (data: string): Buffer => authentication(12, Buffer.from(data, "utf8")),
  /** The newest minor version that is spoken, and the options of the protocol that are not known. */
  negotiate: (options: readonly string[]): Buffer =>
    message("v", { int32: 3 << 16 }, { int32: options.length }, ...options),
  setting: (name: string, value: string): Buffer => message("S", name, value),
  cancelKey: (process: number, secret: number): Buffer => message("K", { int32: process }, { int32: secret }),
  ready: (state: "I" | "T" | "E"): Buffer => message("Z", Buffer.from(state, "latin1")),
  columns: (columns: readonly DescribedColumn[]): Buffer =>
    message(
      "T",
      { int16: columns.length },
      ...columns.flatMap(({ name, oid, size, typmod, format }): Part[] => [
        ...[name, { int32: 0 }, { int16: 0 }, { int32: oid }, { int16: size }, { int32: typmod }],
        code(format),
      ]),
    ),
  noColumns: (): Buffer => message("n"),
  parameters: (oids: readonly number[]): Buffer =>
    message("t", { int16: oids.length }, ...oids.map((int32) => ({ int32 }))),
  row: (values: readonly (Uint8Array | null)[]): Buffer => rowMessage(values),
  complete: (tag: string): Buffer => message("C", tag),
  empty: (): Buffer => message("I"),
  suspended: (): Buffer => message("s"),
  parsed: (): Buffer => message("1"),
  bound: (): Buffer => message("2"),
  closed: (): Buffer => message("3"),
  copyBegins: (format: Format, columns: number): Buffer =>
    message(
      "H",
      Uint8Array.of(format === "text" ? 0 : 1),
      { int16: columns },
      ...Array.from({ length: columns }, () => code(format)),
    ),
  copyData: (data: Uint8Array): Buffer => message("d", data),
  copyEnds: (): Buffer => message("c"),
  error: (fields: Fields): Buffer => message("E", ...fieldsOf(fields)),
  notice: (fields: Fields): Buffer => message("N", ...fieldsOf(fields)),
} as const;

function fieldsOf(fields: Fields): readonly Part[] {
  return [
    ...Object.entries(fields).flatMap(([letter, text]): Part[] => [Buffer.from(letter, "latin1"), text]),
    Uint8Array.of(0),
  ];
}
