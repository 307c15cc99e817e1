import type { Catalog } from "../catalog.ts";
import type { Place } from "../names/reg-names.ts";
import { isReg, readReg } from "../names/reg-names.ts";
import { refused } from "../refuse.ts";
import { oids } from "../types/oids.ts";
import { nameOf, readText } from "../types/read-text.ts";
import { ArrayValue, RowValue, type Value } from "../types/values.ts";
import { writeText } from "../types/write-text.ts";

type Present = NonNullable<Value>;
/** Converts a value that is not NULL. Errors: query.type. */
export type Convert = (value: Present, place: Place) => Value;

const integers: ReadonlyMap<number, readonly [number, number, string]> = new Map([
  [oids.int2, [-32_768, 32_767, "smallint"]],
  [oids.int4, [-2_147_483_648, 2_147_483_647, "integer"]],
]);
const fractions: ReadonlySet<number> = new Set([oids.float4, oids.float8, oids.numeric]);

function isNumber(type: number): boolean {
  return integers.has(type) || fractions.has(type) || type === oids.int8;
}

/** Whether a type is a number that names something. */
function isOid(type: number): boolean {
  return type === oids.oid || type === oids.xid || type === oids.cid || isReg(type);
}

/** Reads the text of a value of any type. Errors: query.type, and those of names. */
export function readValue(text: string, type: number, place: Place): Value {
  const { types } = place.catalog;
  const base = types.baseOf(type);
  if (isReg(base)) return readReg(base, text, place);
  const element = types.elementOf(base);
  if (element !== 0 && isReg(types.baseOf(element))) {
    const texts = readText(text, textArray, types) as ArrayValue;
    return new ArrayValue(
      texts.items.map((item) => (item === null ? null : readReg(element, String(item), place))),
    );
  }
  return readText(text, base, types);
}

const textArray = 1_009;

/** Returns what converts values of one type to another; null where they are the same as they stand. Whether the cast is allowed was decided before. */
export function converter(from: number, to: number, catalog: Catalog): Convert | null {
  const { types } = catalog;
  const [source, target] = [types.baseOf(from), types.baseOf(to)];
  if (source === target) return null;
  const [given, wanted] = [types.categoryOf(source), types.categoryOf(target)];
  if (wanted === "S" || target === oids.char) {
    if (source === oids.int4 && target === oids.char)
      return (value) => String.fromCharCode(Number(value) & 0xff);
    const cut = cutOf(target);
    if (given === "S" || source === oids.unknown || source === oids.char)
      return cut && ((value) => cut(String(value)));
    if (source === oids.bool) return (value) => (value === true ? "true" : "false");
    return (value, place) => (cut ?? String)(writeText(value, source, place));
  }
  if (source === oids.char && target === oids.int4) return (value) => String(value).charCodeAt(0) || 0;
  if (given === "S" || source === oids.unknown || source === oids.char)
    return (value, place) => readValue(String(value), target, place);
  if (isNumber(target) && (isNumber(source) || isOid(source))) return toNumber(source, target);
  if (isOid(target) && (isNumber(source) || isOid(source)))
    return isOid(source) ? null : (value) => toOid(Number(value));
  if (target === oids.bool && isNumber(source)) return (value) => Number(value) !== 0;
  if (source === oids.bool && isNumber(target)) return (value) => (value === true ? 1 : 0);
  const [item, wantedItem] = [types.elementOf(source), types.elementOf(target)];
  if (item !== 0 && wantedItem !== 0) return toArray(converter(item, wantedItem, catalog), target);
  if (given === "D" && wanted === "D") return toTime(source, target);
  if (isRow(target)) return null;
  return (value, place) =>
    value instanceof RowValue || value instanceof ArrayValue
      ? value
      : readValue(writeText(value, source, place), target, place);
}

function isRow(type: number): boolean {
  return type === oids.record || type === oids.any;
}

function cutOf(type: number): ((text: string) => string) | null {
  if (type === oids.name) return nameOf;
  if (type === oids.char) return (text) => text.slice(0, 1);
  return null;
}

function toNumber(source: number, target: number): Convert | null {
  if (target === oids.int8)
    return (value) => (typeof value === "bigint" ? value : BigInt(rounded(Number(value), source)));
  const bounds = integers.get(target);
  if (bounds) {
    if (source === oids.int2) return null;
    const [low, high, name] = bounds;
    return (value) => {
      const whole = rounded(Number(value), source);
      return whole >= low && whole <= high ? whole : refused("query.type", `${name} out of range`);
    };
  }
  return source === oids.int8 ? (value) => Number(value) : null;
}

/** A float is rounded to the even neighbour, a numeric away from zero. */
function rounded(value: number, type: number): number {
  if (Number.isInteger(value)) return value;
  if (!Number.isFinite(value)) return refused("query.type", "integer out of range");
  const near = Math.sign(value) * Math.round(Math.abs(value));
  const isTie = Math.abs(value % 1) === 0.5;
  return isTie && type !== oids.numeric && near % 2 !== 0 ? near - Math.sign(value) : near;
}

function toOid(value: number): number {
  const whole = value < 0 ? value + 2 ** 32 : value;
  return whole >= 0 && whole < 2 ** 32 ? whole : refused("query.type", "OID out of range");
}

function toArray(convert: Convert | null, target: number): Convert | null {
  const lower = target === oids.int2vector || target === oids.oidvector ? 0 : 1;
  return (value, place) => {
    const array = value as ArrayValue;
    if (convert === null && (array.lower === lower || lower === 1)) return array;
    return new ArrayValue(
      array.items.map((item) => (item === null || convert === null ? item : convert(item, place))),
      array.lower,
    );
  };
}

function toTime(source: number, target: number): Convert {
  return (value) => {
    const text = String(value);
    if (target === oids.date) return text.slice(0, 10);
    if (source === oids.date) return `${text} 00:00:00${target === oids.timestamptz ? "+00" : ""}`;
    return target === oids.timestamptz ? `${text}+00` : text.replace(/\+00$/, "");
  };
}
