import type { Dialect } from "../../dialects/dialect.ts";
import { type Join, join, list } from "../../sql/query.ts";
import type { RowSource } from "../relations/row-source.ts";
import { compileExpression } from "../stored/compile-expression.ts";
import { onGrid } from "../stored/on-grid.ts";
import { scaledFromGrid, storedOnGrid } from "../stored/stored-reader.ts";
import type { TextColumns } from "../stored/text-columns.ts";
import type { Category, CategoryRowColumn, NumberRowColumn, RowColumn } from "./row-column.ts";

/** The double of a row's value, made of values that an inner SELECT computes, and the joins that it needs behind that SELECT. */
export interface RowValue {
  readonly text: string;
  readonly joins: readonly Join[];
}

/** Writes the value of a column. `values` are those of the inner SELECT; `as` is a name for what is joined, different for each column. */
export function rowValue(
  column: RowColumn,
  as: string,
  source: RowSource,
  values: TextColumns,
  dialect: Dialect,
): RowValue {
  return column.kind === "number"
    ? { text: numberText(column, source, values, dialect), joins: [] }
    : placeAmong(column, as, source, values, dialect);
}

function numberText(
  { expression, grid }: NumberRowColumn,
  source: RowSource,
  values: TextColumns,
  dialect: Dialect,
): string {
  const stored = storedOnGrid(source, expression, grid);
  const integer =
    stored !== null
      ? values.add(source.stored(stored))
      : onGrid(expression.domain, values.add(compileExpression(expression, source, dialect)), grid, dialect);
  return scaledFromGrid(integer, grid, dialect);
}

/** Lists longer than this are joined, so that the work a row makes does not grow with them. */
const mostBranches = 16;

function placeAmong(
  { expression, categories }: CategoryRowColumn,
  as: string,
  source: RowSource,
  values: TextColumns,
  dialect: Dialect,
): RowValue {
  const { write, double } = dialect;
  const value = values.add(compileExpression(expression, source, dialect));
  const literals = categories.map((category) => literal(category, dialect));
  if (literals.length > mostBranches) {
    const rows = literals.map((text, place) => [text, double(place)]);
    const met = [write.compare(value, "=", `${as}.v`)];
    return { text: `${as}.place`, joins: [join(list(rows, as, ["v", "place"]), met, "left")] };
  }
  const branches = literals.map((text, place) => [write.compare(value, "=", text), double(place)] as const);
  return { text: write.caseOf(branches), joins: [] };
}

function literal(category: Category, dialect: Dialect): string {
  if (typeof category === "string") return dialect.text(category);
  return typeof category === "boolean" ? dialect.write.truth(category) : dialect.double(category);
}
