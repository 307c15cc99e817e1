import { clampInteger, gridOf, toGrid } from "../../plan/grid.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import type { ColumnCleaning } from "../dialect.ts";
import { double, integer, text } from "./literals.ts";
import { gridInteger, gridType } from "./to-grid.ts";

type Cleaning<T extends ColumnPolicy["type"]> = {
  readonly parse: (raw: string) => string;
  readonly clean: (column: Extract<ColumnPolicy, { type: T }>, parsed: string) => string;
  readonly type: (column: Extract<ColumnPolicy, { type: T }>) => string;
};

// TRY_CAST of a double to a double is nothing; of text it reads a number, blanks around it allowed.
const parseNumber = (raw: string): string => `TRY_CAST(${raw} AS DOUBLE)`;
const parseText = (raw: string): string => `CAST(${raw} AS VARCHAR)`;

const cleanings: { readonly [T in ColumnPolicy["type"]]: Cleaning<T> } = {
  number: {
    parse: parseNumber,
    clean(column, x) {
      const grid = gridOf(column);
      if (grid) return gridInteger(x, grid, gridMissing(column));
      const missing = numberMissing(column);
      return `CASE WHEN isfinite(${x}) THEN ${x} ELSE ${missing === null ? "NULL" : double(missing)} END`;
    },
    type: (column) => {
      const grid = gridOf(column);
      return grid ? gridType(grid) : "DOUBLE";
    },
  },
  integer: {
    parse: parseNumber,
    clean(column, x) {
      const missing = gridMissing(column);
      const grid = gridOf(column)!;
      if (column.bounds) return gridInteger(x, grid, missing);
      // Compared as doubles, so that the cast comes after the check and cannot raise; half to even.
      const rounded = `round_even(${x}, 0)`;
      const known = column.categories
        ? `${rounded} IN (${column.categories.map(double).join(", ")})`
        : `${rounded} BETWEEN ${double(Number(grid.lo))} AND ${double(Number(grid.hi))}`;
      return `CASE WHEN isfinite(${x}) THEN CASE WHEN ${known} THEN CAST(${x} AS BIGINT) ELSE ${missing} END ELSE ${missing} END`;
    },
    type: (column) => gridType(gridOf(column)!),
  },
  text: {
    parse: parseText,
    clean({ categories, default: declared, maxLength, nullable }, x) {
      const missing = declared ?? (nullable ? null : (categories?.[0] ?? ""));
      const otherwise = missing === null ? "NULL" : text(missing);
      if (categories)
        return `CASE WHEN ${x} IN (${categories.map(text).join(", ")}) THEN ${x} ELSE ${otherwise} END`;
      const cut = `left(${x}, ${maxLength})`;
      return missing === null ? cut : `coalesce(${cut}, ${otherwise})`;
    },
    type: () => "VARCHAR",
  },
  boolean: {
    parse: (raw) => `lower(trim(${parseText(raw)}))`,
    clean({ default: declared, nullable }, x) {
      const missing = declared ?? (nullable ? null : false);
      const otherwise = missing === null ? "NULL" : String(missing).toUpperCase();
      return (
        `CASE WHEN ${x} IN ('true', 't', 'yes', '1') THEN TRUE ` +
        `WHEN ${x} IN ('false', 'f', 'no', '0') THEN FALSE ELSE ${otherwise} END`
      );
    },
    type: () => "BOOLEAN",
  },
};

function of(column: ColumnPolicy): Cleaning<ColumnPolicy["type"]> {
  return cleanings[column.type] as Cleaning<ColumnPolicy["type"]>;
}

/** What a missing number becomes: the policy's default, NULL, or where neither is allowed the value nearest 0. */
function numberMissing(column: Extract<ColumnPolicy, { type: "number" | "integer" }>): number | null {
  if (column.default !== null) return column.default;
  if (column.nullable) return null;
  if (column.type === "integer" && column.categories) return column.categories[0]!;
  return 0;
}

function gridMissing(column: Extract<ColumnPolicy, { type: "number" | "integer" }>): string {
  const missing = numberMissing(column);
  const grid = gridOf(column)!;
  if (missing === null) return "NULL";
  return integer(clampInteger(toGrid(missing, grid.exponent), BigInt(grid.lo), BigInt(grid.hi)));
}

const longestUnit = 256;

export const columns: ColumnCleaning = {
  parse: (column, raw) => of(column).parse(raw),
  clean: (column, parsed) => of(column).clean(column, parsed),
  type: (column) => of(column).type(column),
  // A longer name is hashed, not cut: a cut could make one unit of two, whose bounds then hold for neither.
  unit: (raw) => {
    const unit = `CAST(${raw} AS VARCHAR)`;
    return `CASE WHEN length(${unit}) <= ${longestUnit} THEN ${unit} ELSE 'sha256:' || sha256(${unit}) END`;
  },
};
