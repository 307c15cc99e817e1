import { sumKindOf } from "../../aggregates/family-of.ts";
import type { ColumnExpression, Expression } from "../../expressions/expression.ts";
import { gridOf } from "../../grid/grid.ts";
import type { Grid, SumColumn } from "../../plan/plan.ts";
import { isIntegerKey } from "../../plan/release-program.ts";
import type { RowSource } from "../relations/row-source.ts";
import { storedOnGrid } from "../stored/stored-reader.ts";

/** Returns what a sum reads on grids: its arguments, or the factors of one. */
export function griddedIn(sum: SumColumn): readonly Gridded[] {
  return sumKindOf(sum)
    .values(sum)
    .flatMap(({ argument, grid, factors }): readonly Gridded[] => {
      if (factors !== undefined) return factors;
      return grid === null ? [] : [{ argument, grid }];
    });
}

interface Gridded {
  readonly argument: Expression;
  readonly grid: Grid;
}

/** Returns the arguments whose values a sum tells apart. */
export function toldApartIn(sum: SumColumn): readonly Expression[] {
  return sumKindOf(sum)
    .values(sum)
    .flatMap(({ argument, grid }) => (grid === null ? [argument] : []));
}

/** Whether a sum can read its arguments as they are stored. */
export function isStoredSum(sum: SumColumn, source: RowSource): boolean {
  const counted = sumKindOf(sum).counted(sum);
  return (
    (counted === null || counted.kind === "column") &&
    toldApartIn(sum).every((told) => storedKey(told, source) !== null) &&
    griddedIn(sum).every(({ argument, grid }) => storedOnGrid(source, argument, grid) !== null)
  );
}

/**
 * Returns the column that holds a key's values as it stores them: texts, booleans and integers are; numbers on a grid are
 * computed, and so is all that is no bare column. Null for those.
 */
export function storedKey(key: Expression, source: RowSource): ColumnExpression | null {
  if (key.kind !== "column") return null;
  const column = source.policy(key);
  if (column.type === "text" || column.type === "boolean") return key;
  return column.type !== "number" && gridOf(column)?.exponent === 0 && isIntegerKey(key) ? key : null;
}
