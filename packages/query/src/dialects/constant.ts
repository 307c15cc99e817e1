import type { Expression } from "../expressions/expression.ts";

/** The number or text that an operator's argument is on every row; the resolver writes it out as a literal. */
export function constant(expression: Expression): string | number {
  if (expression.kind === "literal" && expression.value !== null && typeof expression.value !== "boolean")
    return expression.value;
  throw new TypeError("a constant is due");
}
