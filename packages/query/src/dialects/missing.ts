import { clampInteger, gridOf, toGrid } from "../plan/grid.ts";
import type { ColumnPolicy, TimeColumn } from "../policy/policy.ts";
import { integerText } from "./integer-text.ts";

type Column<T extends ColumnPolicy["type"]> = Extract<ColumnPolicy, { type: T }>;

/*
 * What a value becomes that is missing, or none of its column: the policy's default, NULL where the column may be NULL, else a value
 * that every column of the kind has.
 */

/** The first category, or the value nearest 0. */
export function missingNumber(column: Column<"number" | "integer">): number | null {
  if (column.default !== null) return column.default;
  if (column.nullable) return null;
  if (column.type === "integer" && column.categories) return column.categories[0]!;
  return 0;
}

/** Of a column on a grid: its integer there, as SQL. */
export function missingOnGrid(column: Column<"number" | "integer">): string {
  const missing = missingNumber(column);
  const grid = gridOf(column)!;
  if (missing === null) return "NULL";
  return integerText(clampInteger(toGrid(missing, grid.exponent), BigInt(grid.lo), BigInt(grid.hi)));
}

/** The first category, or no character. */
export function missingText({ categories, default: declared, nullable }: Column<"text">): string | null {
  return declared ?? (nullable ? null : (categories?.[0] ?? ""));
}

export function missingBoolean({ default: declared, nullable }: Column<"boolean">): boolean | null {
  return declared ?? (nullable ? null : false);
}

/** The earliest, as its number, as SQL. */
export function missingTime({ bounds, default: declared, nullable }: TimeColumn): string {
  const missing = declared ?? (nullable ? null : bounds[0]);
  return missing === null ? "NULL" : integerText(BigInt(missing));
}
