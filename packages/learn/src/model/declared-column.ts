import type { DeclaredColumn, ModelColumn } from "./model.ts";

/** Drops what a plan does not keep of a column. */
export function declaredColumn(column: ModelColumn): DeclaredColumn {
  const { name } = column;
  return column.kind === "number"
    ? { kind: "number", name, bounds: column.bounds }
    : { kind: "category", name, categories: column.categories };
}
