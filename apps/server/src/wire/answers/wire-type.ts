import type { FlatValue } from "@lethe/serve/formats";
import type { Value } from "../../catalog/index.ts";
import type { Format } from "../frames/client-message.ts";

/** The types of PostgreSQL that answers have. */
export type WireType = "bool" | "int4" | "int8" | "float8" | "text" | "json" | "date" | "timestamp";

/** How the values of a type are written. */
export interface TypeForm<V = NonNullable<FlatValue>> {
  readonly oid: number;
  /** The bytes of a value; -1 where they vary. */
  readonly size: number;
  /** What the type states beside its name, such as a length; -1 where that is nothing. */
  readonly typmod?: number;
  readonly text: (value: V) => string;
  readonly bytes: (value: V) => Buffer;
}

const dayMs = 86_400_000;
/** PostgreSQL counts from 2000. */
const epochMs = Date.UTC(2000, 0, 1);

const plain = String;
const written = (value: NonNullable<FlatValue>): Buffer => Buffer.from(String(value), "utf8");

function sized(
  size: number,
  write: (bytes: Buffer, value: NonNullable<FlatValue>) => unknown,
): TypeForm["bytes"] {
  return (value) => {
    const bytes = Buffer.allocUnsafe(size);
    write(bytes, value);
    return bytes;
  };
}

/** Microseconds since 2000 of YYYY-MM-DD HH:MM:SS[.ffffff], in UTC. */
function microseconds(value: NonNullable<FlatValue>): bigint {
  const [, seconds = "", fraction = ""] = /^([^.]*)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  const ms = Date.parse(`${seconds.replace(" ", "T")}Z`) - epochMs;
  return BigInt(ms) * 1_000n + BigInt(fraction.padEnd(6, "0") || 0);
}

/** Each type as PostgreSQL writes it. */
export const wireTypes: Readonly<Record<WireType, TypeForm>> = {
  bool: {
    oid: 16,
    size: 1,
    text: (value) => (value === true ? "t" : "f"),
    bytes: (value) => Buffer.from([value === true ? 1 : 0]),
  },
  int4: {
    oid: 23,
    size: 4,
    text: plain,
    bytes: sized(4, (bytes, value) => bytes.writeInt32BE(Number(value))),
  },
  int8: {
    oid: 20,
    size: 8,
    text: plain,
    bytes: sized(8, (bytes, value) => bytes.writeBigInt64BE(BigInt(value))),
  },
  float8: {
    oid: 701,
    size: 8,
    text: plain,
    bytes: sized(8, (bytes, value) => bytes.writeDoubleBE(Number(value))),
  },
  text: { oid: 25, size: -1, text: plain, bytes: written },
  json: { oid: 114, size: -1, text: plain, bytes: written },
  date: {
    oid: 1082,
    size: 4,
    text: plain,
    bytes: sized(4, (bytes, value) =>
      bytes.writeInt32BE((Date.parse(`${value}T00:00:00Z`) - epochMs) / dayMs),
    ),
  },
  timestamp: {
    oid: 1114,
    size: 8,
    text: plain,
    bytes: sized(8, (bytes, value) => bytes.writeBigInt64BE(microseconds(value))),
  },
};

/** What stands in the place of a key for several groups, and has no form in a type but text. */
const marks: ReadonlySet<FlatValue> = new Set(["(other)", "(all)"]);

/** A value as it leaves: of an answer, or of the catalog. */
export type WireCell = FlatValue | Value;

/** The type of a column: one of those of answers, or one of the catalog's own. */
export type ColumnForm = WireType | TypeForm<NonNullable<Value>>;

/** Returns how the values of a column are written. */
export function formOf(type: ColumnForm): Pick<TypeForm, "oid" | "size" | "typmod"> {
  return typeof type === "string" ? wireTypes[type] : type;
}

/** Writes a value of a type; null is NULL. */
export function wireValue(value: WireCell, type: ColumnForm, format: Format): Uint8Array | null {
  if (value === null) return null;
  if (typeof type !== "string")
    return format === "binary" ? type.bytes(value) : Buffer.from(type.text(value), "utf8");
  // The answers of questions have no other values.
  const flat = value as NonNullable<FlatValue>;
  if (type !== "text" && marks.has(flat)) return null;
  return asWritten(flat, wireTypes[type], format);
}

function asWritten(value: NonNullable<FlatValue>, form: TypeForm, format: Format): Uint8Array {
  return format === "binary" ? form.bytes(value) : Buffer.from(form.text(value), "utf8");
}
