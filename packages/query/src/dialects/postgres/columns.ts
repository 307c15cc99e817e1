import { gridOf, integerGrid } from "../../grid/grid.ts";
import type { ColumnPolicy, TimeColumn } from "../../policy/policy.ts";
import type { ColumnCleaning } from "../dialect.ts";
import { isCategory } from "../is-category.ts";
import { missingOnGrid } from "../missing-on-grid.ts";
import { blanks, falsehoods, longestNumber, longestTruth, truths } from "../text-values.ts";
import { decimalValue } from "./casts.ts";
import { evaluatedOnce } from "./let.ts";
import { double, integer, text } from "./literals.ts";
import { type NativeKind, nativeKind } from "./native-type.ts";
import { limits, numberOfTime, writtenTime } from "./times.ts";
import { gridInteger } from "./to-grid.ts";

type Cleaning<T extends ColumnPolicy["type"]> = {
  readonly parse: (raw: string, native: NativeKind, column: Extract<ColumnPolicy, { type: T }>) => string;
  readonly clean: (column: Extract<ColumnPolicy, { type: T }>, parsed: string, native: NativeKind) => string;
  readonly type: (column: Extract<ColumnPolicy, { type: T }>) => string;
};

/** Compared byte by byte, whatever collation the column has; char(n) without its padding. */
const parseText = (raw: string): string => `(CAST(${raw} AS text) COLLATE "C")`;

const padding = String.raw`[ \t\n\r\f\v]*`;
const paddedDecimal = String.raw`'^${padding}[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?${padding}$'`;

/** Numerics between the largest double and 2^1024 − 2^970 round to it; from there on a cast raises. */
const beyondDoubles = `numeric '${2n ** 1024n - 2n ** 970n}'`;

const numberParsers: Readonly<Record<NativeKind, (raw: string) => string>> = {
  double: (raw) => `CAST(${raw} AS double precision)`,
  integer: (raw) => `CAST(${raw} AS double precision)`,
  decimal: (raw) => `CAST(${raw} AS double precision)`,
  // NaN is beyond all numbers.
  numeric: (raw) =>
    `CASE WHEN abs(${raw}) >= ${beyondDoubles} THEN NULL WHEN abs(${raw}) < numeric '2.5e-324' THEN ${double(0)} ` +
    `ELSE CAST(${raw} AS double precision) END`,
  boolean: (raw) => `CAST(CAST(${raw} AS integer) AS double precision)`,
  "short-text": (raw) => parseDecimal(raw),
  date: (raw) => parseDecimal(raw),
  timestamp: (raw) => parseDecimal(raw),
  timestamptz: (raw) => parseDecimal(raw),
  text: (raw) => parseDecimal(raw),
};

function parseDecimal(raw: string): string {
  return evaluatedOnce({ sql: parseText(raw) }, (v) =>
    decimalValue(v, `octet_length(${v}) <= ${longestNumber} AND ${v} ~ ${paddedDecimal}`),
  );
}

/** Rounds half to even; NULL beyond 2^62, where no category and no exact double lies, and for NaN. */
function parseInteger(raw: string, native: NativeKind): string {
  if (native === "integer") return `CAST(${raw} AS bigint)`;
  return evaluatedOnce(
    { sql: numberParsers[native](raw) },
    (v) => `CASE WHEN abs(${v}) < ${double(2 ** 62)} THEN CAST(${v} AS bigint) END`,
  );
}

const timeParsers: Partial<Record<NativeKind, (raw: string) => string>> = {
  // Compared with timestamps as it is: a cast raises for the year 300,000.
  date: (raw) => raw,
  timestamp: (raw) => raw,
  timestamptz: (raw) => `${raw} AT TIME ZONE 'UTC'`,
};

/** A text that is longer than any time is none: what it costs to look has a bound. */
const parseTime = (raw: string, native: NativeKind): string =>
  timeParsers[native]?.(raw) ?? evaluatedOnce({ sql: `left(${parseText(raw)}, 40)` }, writtenTime);

const time = {
  parse: parseTime,
  clean(column: TimeColumn, x: string): string {
    const [lo, hi] = limits(column.type, column.bounds);
    return `CASE WHEN ${x} BETWEEN ${lo} AND ${hi} THEN ${numberOfTime(column.type, x)} ELSE ${missingOnGrid(column, integerGrid(column))} END`;
  },
  type: (): string => "bigint",
};

const cleanings: { readonly [T in ColumnPolicy["type"]]: Cleaning<T> } = {
  number: {
    parse: (raw, native) => numberParsers[native](raw),
    clean(column, x) {
      const grid = gridOf(column);
      if (grid) return gridInteger(x, grid, missingOnGrid(column, grid));
      const { default: missing } = column;
      return (
        `CASE WHEN abs(${x}) < float8 'Infinity' THEN ${x} ` +
        `ELSE ${missing === null ? "NULL" : double(missing)} END`
      );
    },
    type: (column) => (gridOf(column) ? "bigint" : "double precision"),
  },
  integer: {
    parse: (raw, native, column) => (column.bounds ? numberParsers[native](raw) : parseInteger(raw, native)),
    clean(column, x) {
      const grid = integerGrid(column);
      const missing = missingOnGrid(column, grid);
      if (column.bounds) return gridInteger(x, grid, missing);
      const known = column.categories
        ? isCategory(x, column.categories)
        : `${x} BETWEEN ${integer(BigInt(grid.lo))} AND ${integer(BigInt(grid.hi))}`;
      return `CASE WHEN ${known} THEN ${x} ELSE ${missing} END`;
    },
    type: () => "bigint",
  },
  text: {
    parse: (raw) => parseText(raw),
    clean({ categories, default: missing, maxLength }, x) {
      const otherwise = missing === null ? "NULL" : text(missing);
      if (categories)
        return `CASE WHEN ${x} IN (${categories.map(text).join(", ")}) THEN ${x} ELSE ${otherwise} END`;
      const cut = `left(${x}, ${maxLength})`;
      return missing === null ? cut : `coalesce(${cut}, ${otherwise})`;
    },
    type: () => "text",
  },
  boolean: {
    parse: (raw, native) =>
      native === "boolean"
        ? raw
        : `CASE WHEN octet_length(CAST(${raw} AS text)) <= ${longestTruth} THEN lower(btrim(${parseText(raw)}, ${text(blanks)})) END`,
    clean({ default: missing }, x, native) {
      if (native === "boolean") return missing === null ? x : `coalesce(${x}, ${missing})`;
      const otherwise = missing === null ? "NULL" : String(missing).toUpperCase();
      return (
        `CASE WHEN ${x} IN (${truths.map(text).join(", ")}) THEN TRUE ` +
        `WHEN ${x} IN (${falsehoods.map(text).join(", ")}) THEN FALSE ELSE ${otherwise} END`
      );
    },
    type: () => "boolean",
  },
  date: time,
  timestamp: time,
};

function of(column: ColumnPolicy): Cleaning<ColumnPolicy["type"]> {
  return cleanings[column.type] as Cleaning<ColumnPolicy["type"]>;
}

const longestUnit = 256;

/** One spelling for equal numbers: 1.0 and 1.00 are one numeric, −0 and 0 one double. */
const unitSpelling: Readonly<Record<NativeKind, (raw: string) => string>> = {
  double: (raw) => `CAST(CAST(${raw} AS double precision) + ${double(0)} AS text)`,
  decimal: (raw) => `CAST(trim_scale(${raw}) AS text)`,
  numeric: (raw) => `CAST(trim_scale(${raw}) AS text)`,
  integer: (raw) => `CAST(${raw} AS text)`,
  boolean: (raw) => `CAST(${raw} AS text)`,
  "short-text": (raw) => `CAST(${raw} AS text)`,
  date: (raw) => `CAST(${raw} AS text)`,
  timestamp: (raw) => `CAST(${raw} AS text)`,
  timestamptz: (raw) => `CAST(${raw} AS text)`,
  text: (raw) => `CAST(${raw} AS text)`,
};

// A longer name is hashed, not cut: a cut could make one unit of two, whose bounds then hold for neither. For the same
// reason the hash is spelled longer than any name that is kept.
function unit(raw: string, native?: string): string {
  const kind = nativeKind(native);
  const name = `(${unitSpelling[kind](raw)} COLLATE "C")`;
  if (kind !== "text" && kind !== "numeric" && kind !== "decimal") return name;
  const hash = `encode(sha256(convert_to(${name}, 'UTF8')), 'hex')`;
  return `CASE WHEN length(${name}) <= ${longestUnit} THEN ${name} ELSE rpad(${hash}, ${longestUnit + 1}, '#') END`;
}

/** The native types whose values differ exactly where their texts do. */
const spelledApart: readonly (string | undefined)[] = ["int2", "int4", "int8", "uuid"];

export const columns: ColumnCleaning = {
  parse: (column, raw, native) => of(column).parse(raw, nativeKind(native), column),
  clean: (column, parsed, native) => of(column).clean(column, parsed, nativeKind(native)),
  type: (column) => of(column).type(column),
  unit,
  ownUnit: (raw, native) =>
    spelledApart.includes(native)
      ? { value: raw, name: (value) => unit(value, native) }
      : { value: unit(raw, native), name: (value) => value },
};
