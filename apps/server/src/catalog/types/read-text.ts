import { refused } from "../refuse.ts";
import { oids } from "./oids.ts";
import type { TypeTable } from "./type-table.ts";
import { ArrayValue, type Value } from "./values.ts";

type Read = (text: string, type: string) => Value;

const whole =
  (low: number, high: number): Read =>
  (text, type) => {
    const value = /^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : invalid(text, type);
    return value >= low && value <= high
      ? value
      : refused("query.type", `value is out of range for type ${type}`);
  };

const int8Most = 2n ** 63n;

const reads: ReadonlyMap<number, Read> = new Map<number, Read>([
  [oids.bool, readBool],
  [oids.int2, whole(-32_768, 32_767)],
  [oids.int4, whole(-2_147_483_648, 2_147_483_647)],
  [oids.oid, readOid],
  [oids.xid, readOid],
  [oids.cid, readOid],
  [oids.int8, readInt8],
  [oids.float4, readNumber],
  [oids.float8, readNumber],
  [oids.numeric, readNumber],
  [oids.name, (text) => nameOf(text)],
  [oids.char, (text) => text.slice(0, 1)],
  [oids.date, (text, type) => (/^\d{4}-\d\d-\d\d/.test(text) ? text.slice(0, 10) : invalid(text, type))],
]);

const vectors: ReadonlyMap<number, number> = new Map([
  [oids.int2vector, oids.int2],
  [oids.oidvector, oids.oid],
]);

/**
 * Reads the text form of a value. Types whose texts name things of the catalog, such as regclass, are read by the catalog itself.
 * Errors: query.type.
 */
export function readText(text: string, type: number, types: TypeTable): Value {
  const base = types.baseOf(type);
  const read = reads.get(base);
  if (read) return read(text, types.fact(base).name);
  const item = vectors.get(base);
  if (item !== undefined) {
    const words = text.split(" ").filter((word) => word !== "");
    return new ArrayValue(
      words.map((word) => readText(word, item, types)),
      0,
    );
  }
  const element = types.elementOf(base);
  return element === 0 ? text : readArray(text, (written) => readText(written, element, types));
}

/** Reads {a,"b",NULL}. Errors: query.type, and query.unsupported for arrays of arrays. */
export function readArray(text: string, item: (written: string) => Value): ArrayValue {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1];
  if (inner === undefined) return invalid(text, "array");
  const items: Value[] = [];
  if (inner.trim() === "") return new ArrayValue(items);
  const pattern = /\s*(?:"((?:[^"\\]|\\.)*)"|([^",{}]*))\s*(,|$)/gsy;
  while (pattern.lastIndex < inner.length || items.length === 0) {
    const found = pattern.exec(inner);
    if (!found)
      return inner.includes("{")
        ? refused("query.unsupported", "an array of arrays")
        : invalid(text, "array");
    const [, quoted, bare = "", end] = found;
    if (quoted !== undefined) items.push(item(quoted.replace(/\\(.)/gs, "$1")));
    else items.push(/^null$/i.test(bare.trim()) ? null : item(bare.trim()));
    if (end === "") break;
  }
  return new ArrayValue(items);
}

/** A name as PostgreSQL cuts it: to 63 bytes. */
export function nameOf(text: string): string {
  if (text.length <= 21) return text;
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= 63) return text;
  let end = 63;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString("utf8");
}

function readBool(text: string, type: string): Value {
  const word = text.trim().toLowerCase();
  if (word === "") return invalid(text, type);
  if (["true", "yes", "on", "1"].some((yes) => yes.startsWith(word)) && word !== "o") return true;
  if (["false", "no", "off", "0"].some((no) => no.startsWith(word)) && word !== "o") return false;
  return invalid(text, type);
}

function readOid(text: string, type: string): Value {
  const value = /^\s*-?\d+\s*$/.test(text) ? Number(text) : invalid(text, type);
  return value < 0 ? value + 2 ** 32 : value;
}

function readInt8(text: string, type: string): Value {
  if (!/^\s*[+-]?\d+\s*$/.test(text)) return invalid(text, type);
  const value = BigInt(text.trim().replace("+", ""));
  return value >= -int8Most && value < int8Most ? value : refused("query.type", "bigint out of range");
}

function readNumber(text: string, type: string): Value {
  const word = text.trim().toLowerCase();
  if (word === "nan") return Number.NaN;
  if (/^[+-]?inf(?:inity)?$/.test(word)) return word.startsWith("-") ? -Infinity : Infinity;
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/.test(word)) return invalid(text, type);
  return Number(word);
}

/** The text is the asker's own: no value of the data reaches the catalog. */
function invalid(text: string, type: string): never {
  return refused("query.type", `invalid input syntax for type ${type}: ${JSON.stringify(text.slice(0, 63))}`);
}
