import { gridOf, integerGrid } from "../../grid/grid.ts";
import type { ColumnPolicy, TimeColumn } from "../../policy/policy.ts";
import type { ColumnCleaning } from "../dialect.ts";
import { isCategory } from "../is-category.ts";
import { missingOnGrid } from "../missing-on-grid.ts";
import { blanks, falsehoods, longestNumber, longestTruth, truths } from "../text-values.ts";
import { double, integer, text } from "./literals.ts";
import { type NativeKind, nativeKind } from "./native-type.ts";
import { once } from "./once.ts";
import { roundHalfEven } from "./round-half-even.ts";
import { limits, numberOfTime, writtenTime } from "./times.ts";
import { gridInteger } from "./to-grid.ts";

type Of<T extends ColumnPolicy["type"]> = Extract<ColumnPolicy, { type: T }>;
type Cleaning<T extends ColumnPolicy["type"]> = {
  readonly parse: (raw: string, native: NativeKind, column: Of<T>) => string;
  readonly clean: (column: Of<T>, parsed: string) => string;
  readonly type: (column: Of<T>) => string;
};

const varchar = (raw: string): string => `CAST(${raw} AS varchar)`;
/** The text of a value; of char(n) without its padding, which a cast keeps. */
const textOf = (raw: string, native: NativeKind): string =>
  native === "char" ? `trim(TRAILING ' ' FROM ${varchar(raw)})` : varchar(raw);
const bytes = (value: string): string => `length(to_utf8(${value}))`;
const trimmed = (value: string): string => `trim(BOTH ${text(blanks)} FROM ${value})`;
const padding = String.raw`[ \t\n\r\f\x0b]*`;
// A $ would also match before a last line feed. Each part begins with a character that the one before cannot take, so that nothing is tried twice.
const paddedDecimal = String.raw`'\A${padding}[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?${padding}\z'`;

function parseNumber(raw: string, native: NativeKind): string {
  if (native === "double" || native === "integer" || native === "boolean") return `CAST(${raw} AS double)`;
  // The cast of a decimal divides by a power of ten, and may miss the nearest double; the cast of its text finds it.
  if (native === "decimal") return `CAST(${varchar(raw)} AS double)`;
  return once(
    textOf(raw, native),
    (v) =>
      `CASE WHEN ${bytes(v)} <= ${longestNumber} AND regexp_like(${v}, ${paddedDecimal}) THEN TRY_CAST(${trimmed(v)} AS double) END`,
  );
}

/** Rounds half to even; NULL beyond 2^62, where no category and no exact double lies, and for NaN. */
function parseInteger(raw: string, native: NativeKind): string {
  if (native === "integer") return `CAST(${raw} AS bigint)`;
  return once(
    parseNumber(raw, native),
    (v) => `CASE WHEN abs(${v}) < ${double(2 ** 62)} THEN CAST(${roundHalfEven(v)} AS bigint) END`,
  );
}

/** What is finer than microseconds is cut off, where a cast would round; a text of 26 characters ends with them. */
const cut = (timestamp: string): string => `TRY_CAST(substr(${varchar(timestamp)}, 1, 26) AS timestamp(6))`;
const inUtc = (raw: string, digits: number): string =>
  `CAST(${raw} AT TIME ZONE 'UTC' AS timestamp(${digits}))`;

const timeParsers: Partial<Record<NativeKind, (raw: string) => string>> = {
  // Of dates some hundred thousand years away the cast returns other times, without a word.
  date: (raw) =>
    `CASE WHEN ${raw} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN CAST(${raw} AS timestamp(6)) END`,
  timestamp: (raw) => `CAST(${raw} AS timestamp(6))`,
  "fine-timestamp": cut,
  timestamptz: (raw) => inUtc(raw, 6),
  "fine-timestamptz": (raw) => cut(inUtc(raw, 12)),
};

/** A text that is longer than any time is none: what it costs to look has a bound. */
const parseTime = (raw: string, native: NativeKind): string =>
  timeParsers[native]?.(raw) ?? writtenTime(`substr(${textOf(raw, native)}, 1, 40)`);

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
    parse: parseNumber,
    clean(column, x) {
      const grid = gridOf(column);
      if (grid) return gridInteger(x, grid, missingOnGrid(column, grid));
      const { default: missing } = column;
      return `CASE WHEN is_finite(${x}) THEN ${x} ELSE ${missing === null ? "NULL" : double(missing)} END`;
    },
    type: (column) => (gridOf(column) ? "bigint" : "double"),
  },
  integer: {
    parse: (raw, native, column) => (column.bounds ? parseNumber(raw, native) : parseInteger(raw, native)),
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
    parse: textOf,
    clean({ categories, default: missing, maxLength }, x) {
      const otherwise = missing === null ? "NULL" : text(missing);
      if (categories)
        return `CASE WHEN ${x} IN (${categories.map(text).join(", ")}) THEN ${x} ELSE ${otherwise} END`;
      const cut = `substr(${x}, 1, ${maxLength})`;
      return missing === null ? cut : `coalesce(${cut}, ${otherwise})`;
    },
    type: () => "varchar",
  },
  boolean: {
    parse: (raw, native) =>
      once(
        textOf(raw, native),
        (v) => `CASE WHEN ${bytes(v)} <= ${longestTruth} THEN lower(${trimmed(v)}) END`,
      ),
    clean({ default: missing }, x) {
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

const of = (column: ColumnPolicy): Cleaning<ColumnPolicy["type"]> =>
  cleanings[column.type] as Cleaning<ColumnPolicy["type"]>;

const longestUnit = 256;
const hasFraction = /,\s*[1-9]\d*\)$/;

/** One spelling for equal numbers: −0 and 0 are one double, 1.50 and 1.5 one decimal. A longer name is hashed, not cut, and the hash is longer than any name that is kept. */
function unit(raw: string, native?: string): string {
  const kind = nativeKind(native);
  if (kind === "double") return varchar(`CAST(${raw} AS double) + ${double(0)}`);
  if (kind === "decimal" && hasFraction.test(native ?? ""))
    return `trim(TRAILING '.' FROM trim(TRAILING '0' FROM ${varchar(raw)}))`;
  const name = textOf(raw, kind);
  if (kind !== "text" && kind !== "char") return name;
  const hash = `lower(to_hex(sha256(to_utf8(${name}))))`;
  return `CASE WHEN length(${name}) <= ${longestUnit} THEN ${name} ELSE rpad(${hash}, ${longestUnit + 1}, '#') END`;
}

/** The native types whose values differ exactly where their texts do. */
const isSpelledApart = (native: string | undefined): boolean =>
  nativeKind(native) === "integer" || native === "uuid";

export const columns: ColumnCleaning = {
  parse: (column, raw, native) => of(column).parse(raw, nativeKind(native), column),
  clean: (column, parsed) => of(column).clean(column, parsed),
  type: (column) => of(column).type(column),
  unit,
  ownUnit: (raw, native) =>
    isSpelledApart(native)
      ? { value: raw, name: (value) => unit(value, native) }
      : { value: unit(raw, native), name: (value) => value },
};
