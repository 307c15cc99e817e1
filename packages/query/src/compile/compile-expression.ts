import type { Expression } from "../bind/expression.ts";
import type { Dialect } from "../dialects/dialect.ts";

/** How an expression reads a column: SQL of its value, a double, a text or a boolean. */
export type ColumnText = (name: string) => string;

/** SQL of a bound expression. Total on every row by the dialect's operators; text grows linearly with the expression. */
export function compileExpression(expression: Expression, column: ColumnText, dialect: Dialect): string {
  const compile = (part: Expression): string => compileExpression(part, column, dialect);
  switch (expression.kind) {
    case "literal":
      return literal(expression, dialect);
    case "column":
      return column(expression.name);
    case "call":
      return dialect.operators[expression.operator](expression.args.map(compile), expression);
    case "case": {
      const branches = expression.branches.map(
        ({ when, then }) => `WHEN ${compile(when)} THEN ${compile(then)}`,
      );
      return `CASE ${branches.join(" ")} ELSE ${compile(expression.otherwise)} END`;
    }
  }
}

function literal({ value, domain }: Extract<Expression, { kind: "literal" }>, dialect: Dialect): string {
  if (typeof value === "string") return dialect.text(value);
  if (typeof value === "number") return dialect.double(value);
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  const types = { number: "double", text: "text", boolean: "boolean" } as const;
  return `CAST(NULL AS ${dialect.types[types[domain.type]]})`;
}
