import type { Dialect } from "../../dialects/dialect.ts";
import type { ColumnExpression, Expression } from "../../expressions/expression.ts";
import { type Grid, gridOf } from "../../grid/grid.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import { policyOf, type Relation } from "../../relations/relation.ts";
import { compareStored } from "./compare-stored.ts";
import type { ColumnReader } from "./compile-expression.ts";

export interface StoredReader extends ColumnReader {
  readonly policy: (column: ColumnExpression) => ColumnPolicy;
}

/** Values and comparisons of columns, wherever they are stored. */
export function reader(
  relation: Relation,
  stored: (column: ColumnExpression) => string,
  dialect: Dialect,
): StoredReader {
  const policy = (column: ColumnExpression): ColumnPolicy => policyOf(relation, column);
  return {
    policy,
    value: (column) => columnValue(policy(column), stored(column), dialect),
    compared: (column, operator, constant) => {
      const grid = gridOf(policy(column));
      return grid && compareStored(stored(column), operator, constant, grid.exponent, dialect.write);
    },
  };
}

function columnValue(column: ColumnPolicy, stored: string, dialect: Dialect): string {
  const grid = gridOf(column);
  return grid === null ? stored : scaledFromGrid(stored, grid, dialect);
}

/** Writes i · 2^exponent, exactly: both are doubles, and i has at most 53 bits. */
export function scaledFromGrid(integer: string, { exponent }: Grid, { write, double }: Dialect): string {
  const number = write.cast(integer, "double");
  return exponent === 0 ? number : write.enclosed(write.times(number, double(2 ** exponent)));
}

/** The bare column whose stored integers are already those of this grid. */
export function storedOnGrid(
  { policy }: StoredReader,
  argument: Expression,
  grid: Grid,
): ColumnExpression | null {
  if (argument.kind !== "column") return null;
  const stored = gridOf(policy(argument));
  return stored && stored.exponent === grid.exponent && stored.lo === grid.lo && stored.hi === grid.hi
    ? argument
    : null;
}
