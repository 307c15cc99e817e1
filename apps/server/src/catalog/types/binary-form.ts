import type { Place } from "../names/reg-names.ts";
import { unsupported } from "../refuse.ts";
import { oids } from "./oids.ts";
import { ArrayValue, RowValue, type Value } from "./values.ts";
import { writeText } from "./write-text.ts";

type Present = NonNullable<Value>;

interface Fixed {
  readonly size: number;
  readonly write: (bytes: Buffer, value: Present) => unknown;
  readonly read: (bytes: Buffer) => Value;
}

const epochMs = Date.UTC(2000, 0, 1);
const dayMs = 86_400_000;
const number = (value: Present): number => Number(value);

const unsigned: Fixed = {
  size: 4,
  write: (bytes, value) => bytes.writeUInt32BE(number(value)),
  read: (bytes) => bytes.readUInt32BE(0),
};
const timestamp: Fixed = {
  size: 8,
  write: (bytes, value) => bytes.writeBigInt64BE(microseconds(String(value))),
  read: () => unsupported("times as parameters in binary"),
};

/** Types whose values take the same number of bytes. */
const fixed: ReadonlyMap<number, Fixed> = new Map<number, Fixed>([
  [
    oids.bool,
    {
      size: 1,
      write: (bytes, value) => bytes.writeUInt8(value === true ? 1 : 0),
      read: (bytes) => bytes.readUInt8(0) !== 0,
    },
  ],
  [
    oids.int2,
    {
      size: 2,
      write: (bytes, value) => bytes.writeInt16BE(number(value)),
      read: (bytes) => bytes.readInt16BE(0),
    },
  ],
  [
    oids.int4,
    {
      size: 4,
      write: (bytes, value) => bytes.writeInt32BE(number(value)),
      read: (bytes) => bytes.readInt32BE(0),
    },
  ],
  [
    oids.int8,
    {
      size: 8,
      write: (bytes, value) => bytes.writeBigInt64BE(BigInt(value as bigint)),
      read: (bytes) => bytes.readBigInt64BE(0),
    },
  ],
  [
    oids.float4,
    {
      size: 4,
      write: (bytes, value) => bytes.writeFloatBE(number(value)),
      read: (bytes) => bytes.readFloatBE(0),
    },
  ],
  [
    oids.float8,
    {
      size: 8,
      write: (bytes, value) => bytes.writeDoubleBE(number(value)),
      read: (bytes) => bytes.readDoubleBE(0),
    },
  ],
  [
    oids.date,
    {
      size: 4,
      write: (bytes, value) => bytes.writeInt32BE((Date.parse(`${value}T00:00:00Z`) - epochMs) / dayMs),
      read: (bytes) => new Date(epochMs + bytes.readInt32BE(0) * dayMs).toISOString().slice(0, 10),
    },
  ],
  [oids.timestamp, timestamp],
  [oids.timestamptz, timestamp],
  ...[
    ...[oids.oid, oids.xid, oids.cid, oids.regproc, oids.regprocedure, oids.regoper, oids.regoperator],
    ...[oids.regclass, oids.regtype, oids.regconfig, oids.regdictionary, oids.regnamespace, oids.regrole],
    oids.regcollation,
  ].map((oid): [number, Fixed] => [oid, unsigned]),
]);

/** Microseconds since 2000 of YYYY-MM-DD HH:MM:SS[.ffffff][+00]. */
function microseconds(text: string): bigint {
  const [, seconds = "", fraction = ""] = /^([^.+]*)(?:\.(\d+))?/.exec(text) ?? [];
  const ms = Date.parse(`${seconds.replace(" ", "T")}Z`) - epochMs;
  return BigInt(ms) * 1_000n + BigInt(fraction.padEnd(6, "0") || 0);
}

/** Writes a value as PostgreSQL sends it in binary. */
export function writeBinary(value: Present, type: number, place: Place): Buffer {
  const form = fixed.get(type);
  if (form) {
    const bytes = Buffer.allocUnsafe(form.size);
    form.write(bytes, value);
    return bytes;
  }
  if (value instanceof ArrayValue) return binaryArray(value, place.catalog.types.elementOf(type), place);
  if (value instanceof RowValue) return binaryRow(value, place);
  if (type === oids.numeric) return binaryNumeric(Number(value));
  const text = Buffer.from(writeText(value, type, place), "utf8");
  return type === oids.jsonb ? Buffer.concat([Buffer.from([1]), text]) : text;
}

function withLength(value: Value, type: number, place: Place): Buffer {
  const length = Buffer.allocUnsafe(4);
  if (value === null) {
    length.writeInt32BE(-1);
    return length;
  }
  const bytes = writeBinary(value, type, place);
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function binaryArray({ items, lower }: ArrayValue, element: number, place: Place): Buffer {
  const head = Buffer.alloc(items.length === 0 ? 12 : 20);
  head.writeInt32BE(items.length === 0 ? 0 : 1, 0);
  head.writeInt32BE(items.includes(null) ? 1 : 0, 4);
  head.writeUInt32BE(element, 8);
  if (items.length > 0) {
    head.writeInt32BE(items.length, 12);
    head.writeInt32BE(lower, 16);
  }
  return Buffer.concat([head, ...items.map((item) => withLength(item, element, place))]);
}

function binaryRow({ items, types }: RowValue, place: Place): Buffer {
  const head = Buffer.allocUnsafe(4);
  head.writeInt32BE(items.length);
  const fields = items.flatMap((item, at) => {
    const type = Buffer.allocUnsafe(4);
    type.writeUInt32BE(types[at] ?? oids.text);
    return [type, withLength(item, types[at] ?? oids.text, place)];
  });
  return Buffer.concat([head, ...fields]);
}

/** A numeric: its digits in base 10,000, and how many stand behind the point. */
function binaryNumeric(value: number): Buffer {
  if (!Number.isFinite(value))
    return Buffer.from([0, 0, 0, 0, Number.isNaN(value) ? 0xc0 : value > 0 ? 0xd0 : 0xf0, 0, 0, 0]);
  const text = Math.abs(value).toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: 20 });
  const [whole = "0", part = ""] = text.split(".");
  const left = whole.padStart(Math.ceil(whole.length / 4) * 4, "0");
  const right = part.padEnd(Math.ceil(part.length / 4) * 4, "0");
  const groups = (left + right).match(/.{4}/g)?.map(Number) ?? [];
  let weight = left.length / 4 - 1;
  while (groups.length > 0 && groups[0] === 0) {
    groups.shift();
    weight -= 1;
  }
  while (groups.at(-1) === 0) groups.pop();
  const bytes = Buffer.alloc(8 + 2 * groups.length);
  bytes.writeUInt16BE(groups.length, 0);
  bytes.writeInt16BE(groups.length === 0 ? 0 : weight, 2);
  bytes.writeUInt16BE(value < 0 ? 0x4000 : 0, 4);
  bytes.writeUInt16BE(part.length, 6);
  for (const [at, group] of groups.entries()) bytes.writeUInt16BE(group, 8 + 2 * at);
  return bytes;
}

/** Reads a value that a client sends in binary. Errors: RangeError for too few bytes, query.unsupported for types that are read as text alone. */
export function readBinary(bytes: Buffer, type: number, place: Place): Value {
  const form = fixed.get(type);
  if (form) return form.read(bytes);
  const { types } = place.catalog;
  const element = types.elementOf(type);
  if (element !== 0) return readBinaryArray(bytes, element, place);
  const category = types.categoryOf(type);
  if (category === "S" || type === oids.char || type === oids.unknown || type === oids.json)
    return bytes.toString("utf8");
  return unsupported(`parameters of the type ${types.fact(type).name} in binary`);
}

function readBinaryArray(bytes: Buffer, element: number, place: Place): ArrayValue {
  const dimensions = bytes.readInt32BE(0);
  if (dimensions > 1) return unsupported("arrays of arrays");
  if (dimensions < 1) return new ArrayValue([]);
  const [count, lower] = [bytes.readInt32BE(12), bytes.readInt32BE(16)];
  const items: Value[] = [];
  let at = 20;
  for (let item = 0; item < count; item += 1) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) items.push(null);
    else {
      if (at + length > bytes.length) throw new RangeError("too few bytes");
      items.push(readBinary(bytes.subarray(at, at + length), element, place));
      at += length;
    }
  }
  return new ArrayValue(items, lower);
}
