import { invalidParameter } from "@lethe/core";
import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { Grid } from "../../grid/grid.ts";

/** A column of the rows that are read: an expression over the plan's relation, and the double that stands for its value. */
export type RowColumn = NumberRowColumn | CategoryRowColumn;

/**
 * A number, or the number of a time, rounded to a public grid and clamped to it just as SUM does: i · 2^exponent, which is an exact double, so
 * that i can be had again. NULL, NaN and ±Inf are NaN.
 */
export interface NumberRowColumn {
  readonly kind: "number";
  readonly expression: Expression;
  /** That of a sum of the plan, or gridFor the bounds of the expression's domain. */
  readonly grid: Grid;
}

/** The place, from 0, that the value has in a public list; NaN where it is NULL or not in the list. Truths are listed as [false, true]. */
export interface CategoryRowColumn {
  readonly kind: "category";
  readonly expression: Expression;
  /** Different values of the expression's type. */
  readonly categories: readonly Category[];
}

export type Category = string | number | boolean;

/** More columns than this no statement of every engine could list. */
const mostColumns = 1000;
const mostCategories = 2 ** 16;

/** Refuses columns that are none, whatever the rows. Errors: parameter.invalid. */
export function checkRowColumns(columns: readonly RowColumn[]): void {
  if (!(columns.length > 0 && columns.length <= mostColumns))
    throw invalidParameter("number of columns", columns.length, `1 to ${mostColumns}`);
  for (const column of columns) {
    if (column.kind === "category") checkCategories(column);
    else if (["text", "boolean"].includes(column.expression.domain.type))
      throw invalidParameter(
        `the column ${writeSql(column.expression)}`,
        column.expression.domain.type,
        "a number or a time, or read as a category",
      );
  }
}

function checkCategories({ expression, categories }: CategoryRowColumn): void {
  const { type } = expression.domain;
  const wanted = type === "text" ? "string" : type === "boolean" ? "boolean" : "number";
  const areValues = categories.every(
    (category) => typeof category === wanted && (wanted !== "number" || Number.isFinite(category)),
  );
  if (!areValues)
    throw invalidParameter(
      `the categories of ${writeSql(expression)}`,
      "others",
      `${wanted === "number" ? "finite number" : wanted}s, as its values are`,
    );
  if (new Set(categories).size !== categories.length)
    throw invalidParameter(
      `the categories of ${writeSql(expression)}`,
      "one twice",
      "different from each other",
    );
  if (!(categories.length > 0 && categories.length <= mostCategories))
    throw invalidParameter(
      `number of categories of ${writeSql(expression)}`,
      categories.length,
      `1 to ${mostCategories}`,
    );
}
