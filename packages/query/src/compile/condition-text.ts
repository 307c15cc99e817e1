import type { Dialect } from "../dialects/dialect.ts";
import type { ColumnExpression, Expression } from "../resolve/expression.ts";
import type { Relation } from "../resolve/relation.ts";
import { compileExpression } from "./compile-expression.ts";
import { reader } from "./stored-reader.ts";

/** A condition on a relation's rows, whose columns are stored where `stored` says. */
export function conditionText(
  condition: Expression,
  relation: Relation,
  stored: (column: ColumnExpression) => string,
  dialect: Dialect,
): string {
  return compileExpression(condition, reader(relation, stored, dialect), dialect);
}
