import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { AskedBounds } from "./aggregate-bounds.ts";

/** Writes an argument with the bounds that the question states for it. */
export function writeArguments(argument: Expression, bounds: AskedBounds | null): string {
  return `${writeSql(argument)}${writeBounds(bounds)}`;
}

export function writeBounds(bounds: AskedBounds | null): string {
  if (bounds?.per === "auto") return ", contribution_bounds_per_row => auto";
  return bounds ? `, contribution_bounds_per_${bounds.per} => (${bounds.lo}, ${bounds.hi})` : "";
}
