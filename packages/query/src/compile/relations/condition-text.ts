import type { Dialect } from "../../dialects/dialect.ts";
import type { ColumnExpression, Expression } from "../../expressions/expression.ts";
import type { Relation } from "../../relations/relation.ts";
import { compileExpression } from "../stored/compile-expression.ts";
import { reader } from "../stored/stored-reader.ts";

/** A condition on a relation's rows, whose columns are stored where `stored` says. */
export function conditionText(
  condition: Expression,
  relation: Relation,
  stored: (column: ColumnExpression) => string,
  dialect: Dialect,
): string {
  return compileExpression(condition, reader(relation, stored, dialect), dialect);
}
