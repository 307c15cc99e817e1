import { columnId, type Expression } from "../expression.ts";
import { applyOperator } from "../operators/apply-operator.ts";
import type { Scalar } from "../operators/domains.ts";
import { refuseReleased } from "../operators/released.ts";

/**
 * Evaluates an expression on one row, in plain JavaScript: the reference that every dialect's rendering must agree
 * with (but for the last bits of exp, ln, log10 and power, and for letters beyond ASCII in lower and upper). `row`
 * holds clean values, within the columns' domains, by columnId.
 */
export function evaluate(expression: Expression, row: Readonly<Record<string, Scalar>>): Scalar {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "column":
      return row[columnId(expression)] ?? null;
    case "released":
      return refuseReleased(expression);
    case "call":
      return applyOperator(
        expression.operator,
        expression.args.map((arg) => evaluate(arg, row)),
        expression.args,
      );
    case "case": {
      const taken = expression.branches.find(({ when }) => evaluate(when, row) === true);
      return evaluate(taken ? taken.then : expression.otherwise, row);
    }
  }
}
