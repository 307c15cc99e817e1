import { type ColumnExpression, columnId, type Expression } from "../expression.ts";
import type { Scalar } from "../operators/domains.ts";
import { isExactCall } from "../operators/is-exact-call.ts";
import { writeSql } from "../write-sql.ts";
import { evaluate } from "./evaluate.ts";

/**
 * Returns what gives, for a value of an expression, the outcome of a condition on every row where the expression has that value: true, false or
 * NULL. Null where the condition reads anything else, or where engines may differ on it.
 * @example outcomeOf(condition of "sector IN ('a', 'b')", sector)?.("c") // => false
 */
export function outcomeOf(condition: Expression, of: Expression): ((value: Scalar) => Scalar) | null {
  const stands: ColumnExpression = { kind: "column", name: "", domain: of.domain };
  const known = replaced(condition, writeSql(of), stands);
  return known && ((value) => evaluate(known, { [columnId(stands)]: value }));
}

/**
 * Returns an expression with a column in the place of a part. Null where it reads any other column, or computes what engines may compute differently.
 */
function replaced(expression: Expression, part: string, column: ColumnExpression): Expression | null {
  if (expression.kind === "literal") return expression;
  if (writeSql(expression) === part) return column;
  if (expression.kind === "column" || expression.kind === "released") return null;
  const inside = (child: Expression): Expression | null => replaced(child, part, column);
  if (expression.kind === "call") {
    const args = expression.args.map(inside).filter((arg) => arg !== null);
    const isWhole = args.length === expression.args.length && isExactCall(expression.operator, args);
    return isWhole ? { ...expression, args } : null;
  }
  const branches: { readonly when: Expression; readonly then: Expression }[] = [];
  for (const { when, then: result } of expression.branches) {
    const [condition, then] = [inside(when), inside(result)];
    if (!condition || !then) return null;
    branches.push({ when: condition, then });
  }
  const otherwise = inside(expression.otherwise);
  return otherwise && { ...expression, branches, otherwise };
}
