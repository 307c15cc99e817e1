import type { ColumnType } from "../column-description.ts";

export type CatalogCell = string | number | boolean | null;

/** Rows that the policy answers: exact, public, and for nothing. */
export interface CatalogAnswer {
  readonly columns: readonly CatalogAnswerColumn[];
  /** Cells in the order of the columns. */
  readonly rows: readonly (readonly CatalogCell[])[];
}

export interface CatalogAnswerColumn {
  readonly name: string;
  readonly type: Extract<ColumnType, "number" | "integer" | "text" | "boolean">;
}
