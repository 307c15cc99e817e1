import type { ModelColumn } from "../../model/model.ts";
import { double } from "../../sql/literal.ts";
import { byCategory, clampedText } from "../column-text.ts";
import { categoryPlace, clampedValue, type RowValues } from "../row-values.ts";
import type { FittedRegression } from "./fitted-regression.ts";

/** The prediction for a row; null where a feature is missing, or a category that the model does not know. */
export function predictRegression(fitted: FittedRegression, row: RowValues): number | null {
  const parts = fitted.features.map((column) => {
    if (column.kind === "category") {
      const place = categoryPlace(column, row);
      return place === null ? null : coefficientOf(fitted, column, place);
    }
    const value = clampedValue(column, row);
    return value === null ? null : value * coefficientOf(fitted, column, null);
  });
  return parts.reduce<number | null>(
    (total, part) => (total === null || part === null ? null : total + part),
    fitted.intercept?.value ?? 0,
  );
}

/** The same as an expression of SQL, in PostgreSQL's syntax, over the features' columns. */
export function regressionSql(fitted: FittedRegression): string {
  const parts = fitted.features.map((column) =>
    column.kind === "category"
      ? byCategory(column, (_, place) => double(coefficientOf(fitted, column, place)))
      : `${double(coefficientOf(fitted, column, null))} * ${clampedText(column)}`,
  );
  return [double(fitted.intercept?.value ?? 0), ...parts].join(" + ");
}

/** The coefficient of a number, or of a category by its place; 0 for the category that others are compared with. */
function coefficientOf(
  { coefficients }: FittedRegression,
  column: ModelColumn,
  place: number | null,
): number {
  const category = column.kind === "number" || place === null ? null : (column.categories[place] ?? null);
  return coefficients.find((each) => each.column === column.name && each.category === category)?.value ?? 0;
}
