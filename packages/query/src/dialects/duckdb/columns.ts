import { gridOf, integerGrid } from "../../grid/grid.ts";
import type { ColumnPolicy, TimeColumn } from "../../policy/policy.ts";
import type { ColumnCleaning } from "../dialect.ts";
import { isCategory } from "../is-category.ts";
import { missingOnGrid } from "../missing-on-grid.ts";
import { blanks, falsehoods, longestNumber, longestTruth, truths } from "../text-values.ts";
import { double, integer, text } from "./literals.ts";
import { limits, numberOfTime, writtenTime } from "./times.ts";
import { gridInteger, gridType } from "./to-grid.ts";

type Cleaning<T extends ColumnPolicy["type"]> = {
  readonly parse: (raw: string, column: Extract<ColumnPolicy, { type: T }>) => string;
  readonly clean: (column: Extract<ColumnPolicy, { type: T }>, parsed: string) => string;
  readonly type: (column: Extract<ColumnPolicy, { type: T }>) => string;
};

/**
 * TRY_CAST of a double to a double is nothing; of text it reads a number as ../text-values.ts says, but that it also reads 1_000 and +-1. typeof is a
 * constant to DuckDB: nothing but texts is looked at.
 */
const parseNumber = (raw: string): string =>
  `CASE WHEN typeof(${raw}) <> 'VARCHAR' OR strlen(CAST(${raw} AS VARCHAR)) <= ${longestNumber} ` +
  `AND NOT contains(CAST(${raw} AS VARCHAR), '_') AND NOT contains(CAST(${raw} AS VARCHAR), '+-') THEN TRY_CAST(${raw} AS DOUBLE) END`;
/**
 * Rounds half to even; NULL beyond 64 bits, where no category and no exact double lies. typeof is a constant to DuckDB:
 * native integers, the common keys, are spared the way through doubles, which takes longer than the grouping.
 */
const parseInteger = (raw: string): string =>
  `CASE WHEN typeof(${raw}) IN ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT') THEN TRY_CAST(${raw} AS BIGINT) ` +
  `ELSE TRY_CAST(${parseNumber(raw)} AS BIGINT) END`;
/**
 * A collation would travel with the value: 'a' and 'A' would group as one key, or as one unit, spelled as whichever row
 * came first. C compares bytes.
 */
const parseText = (raw: string): string => `(CAST(${raw} AS VARCHAR) COLLATE C)`;

/** Plain timestamps, whatever the column holds; one with a time zone in UTC. typeof is a constant to DuckDB. */
const parseTime = (raw: string): string =>
  `CASE WHEN typeof(${raw}) = 'TIMESTAMP WITH TIME ZONE' THEN make_timestamp(epoch_us(TRY_CAST(${raw} AS TIMESTAMPTZ))) ` +
  `WHEN typeof(${raw}) IN ('DATE', 'TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS') THEN TRY_CAST(${raw} AS TIMESTAMP) ` +
  `ELSE ${writtenTime(`CAST(${raw} AS VARCHAR)`)} END`;

const time = {
  parse: parseTime,
  clean(column: TimeColumn, x: string): string {
    const [lo, hi] = limits(column.type, column.bounds);
    return `CASE WHEN ${x} BETWEEN ${lo} AND ${hi} THEN ${numberOfTime(column.type, x)} ELSE ${missingOnGrid(column, integerGrid(column))} END`;
  },
  type: (column: TimeColumn): string => gridType(integerGrid(column)),
};

const cleanings: { readonly [T in ColumnPolicy["type"]]: Cleaning<T> } = {
  number: {
    parse: parseNumber,
    clean(column, x) {
      const grid = gridOf(column);
      if (grid) return gridInteger(x, grid, missingOnGrid(column, grid));
      const { default: missing } = column;
      return `CASE WHEN isfinite(${x}) THEN ${x} ELSE ${missing === null ? "NULL" : double(missing)} END`;
    },
    type: (column) => {
      const grid = gridOf(column);
      return grid ? gridType(grid) : "DOUBLE";
    },
  },
  integer: {
    parse: (raw, column) => (column.bounds ? parseNumber(raw) : parseInteger(raw)),
    clean(column, x) {
      const grid = integerGrid(column);
      const missing = missingOnGrid(column, grid);
      if (column.bounds) return gridInteger(x, grid, missing);
      const known = column.categories
        ? isCategory(x, column.categories)
        : `${x} BETWEEN ${integer(BigInt(grid.lo))} AND ${integer(BigInt(grid.hi))}`;
      return `CASE WHEN ${known} THEN ${x} ELSE ${missing} END`;
    },
    type: (column) => gridType(integerGrid(column)),
  },
  text: {
    parse: parseText,
    clean({ categories, default: missing, maxLength }, x) {
      const otherwise = missing === null ? "NULL" : text(missing);
      if (categories)
        return `CASE WHEN ${x} IN (${categories.map(text).join(", ")}) THEN ${x} ELSE ${otherwise} END`;
      const cut = `left(${x}, ${maxLength})`;
      return missing === null ? cut : `coalesce(${cut}, ${otherwise})`;
    },
    type: () => "VARCHAR",
  },
  boolean: {
    parse: (raw) =>
      `CASE WHEN strlen(CAST(${raw} AS VARCHAR)) <= ${longestTruth} THEN lower(trim(${parseText(raw)}, ${text(blanks)})) END`,
    clean({ default: missing }, x) {
      const otherwise = missing === null ? "NULL" : String(missing).toUpperCase();
      return (
        `CASE WHEN ${x} IN (${truths.map(text).join(", ")}) THEN TRUE ` +
        `WHEN ${x} IN (${falsehoods.map(text).join(", ")}) THEN FALSE ELSE ${otherwise} END`
      );
    },
    type: () => "BOOLEAN",
  },
  date: time,
  timestamp: time,
};

function of(column: ColumnPolicy): Cleaning<ColumnPolicy["type"]> {
  return cleanings[column.type] as Cleaning<ColumnPolicy["type"]>;
}

const longestUnit = 256;

// A longer name is hashed, not cut: a cut could make one unit of two, whose bounds then hold for neither. For the same
// reason the hash is spelled longer than any name that is kept.
function unit(raw: string): string {
  const name = parseText(raw);
  return `CASE WHEN length(${name}) <= ${longestUnit} THEN ${name} ELSE rpad(sha256(${name}), ${longestUnit + 1}, '#') END`;
}

/** The native types whose values differ exactly where their texts do, and which DuckDB groups and joins in a fraction of the time of texts. */
const spelledApart = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT)|UUID)$/;

export const columns: ColumnCleaning = {
  parse: (column, raw) => of(column).parse(raw, column),
  clean: (column, parsed) => of(column).clean(column, parsed),
  type: (column) => of(column).type(column),
  unit,
  ownUnit: (raw, native) =>
    native !== undefined && spelledApart.test(native)
      ? { value: raw, name: unit }
      : { value: unit(raw), name: (value) => value },
};
