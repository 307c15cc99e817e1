import type { Call, Dialect } from "../../dialects/dialect.ts";
import { writeCall } from "../../dialects/write-call.ts";
import type { ColumnExpression, Expression } from "../../expressions/expression.ts";
import type { Operator } from "../../expressions/operator.ts";
import { refuseReleased } from "../../expressions/operators/released.ts";

/** How an expression reads columns. */
export interface ColumnReader {
  /** SQL of a column's value: a double (for a time its number), a text or a boolean. */
  readonly value: (column: ColumnExpression) => string;
  /** A comparison of a column with a constant in terms of what is stored; null where the value must be read. */
  readonly compared: (column: ColumnExpression, operator: Operator, constant: number) => string | null;
}

/** SQL of a bound expression. Total on every row by the dialect's operators; text grows linearly with the expression. */
export function compileExpression(expression: Expression, columns: ColumnReader, dialect: Dialect): string {
  const compile = (part: Expression): string => compileExpression(part, columns, dialect);
  switch (expression.kind) {
    case "literal":
      return literal(expression, dialect);
    case "column":
      return columns.value(expression);
    case "released":
      return refuseReleased(expression);
    case "call":
      return (
        comparedAsStored(expression, columns) ??
        writeCall(dialect.operators, expression, expression.args.map(compile))
      );
    case "case": {
      const branches = expression.branches.map(({ when, then }) => [compile(when), compile(then)] as const);
      return dialect.write.caseOf(branches, compile(expression.otherwise));
    }
  }
}

function literal({ value, domain }: Extract<Expression, { kind: "literal" }>, dialect: Dialect): string {
  if (typeof value === "string") return dialect.text(value);
  if (typeof value === "number") return dialect.double(value);
  if (typeof value === "boolean") return dialect.write.truth(value);
  const types = {
    number: "double",
    text: "text",
    boolean: "boolean",
    date: "double",
    timestamp: "double",
  } as const;
  return dialect.write.missingOf(types[domain.type]);
}

/** age > 30 and 30 < age, without making a double of every age. */
function comparedAsStored({ operator, args }: Call, columns: ColumnReader): string | null {
  const mirrored = mirrors[operator];
  const [left, right] = args;
  if (mirrored === undefined || !left || !right) return null;
  if (left.kind === "column" && right.kind === "literal" && typeof right.value === "number") {
    return columns.compared(left, operator, right.value);
  }
  if (right.kind === "column" && left.kind === "literal" && typeof left.value === "number") {
    return columns.compared(right, mirrored, left.value);
  }
  return null;
}

/** Comparisons with their sides exchanged. */
const mirrors: Partial<Record<Operator, Operator>> = {
  "=": "=",
  "<>": "<>",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};
