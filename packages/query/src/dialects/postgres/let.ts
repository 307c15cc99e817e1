import type { Expression } from "../../expressions/expression.ts";

/** An operand of the body of {@link evaluatedOnce}. */
export interface Operand {
  readonly sql: string;
  /** The operand as it was bound; a column or literal is cheap enough to stand several times. */
  readonly bound?: Expression;
}

/**
 * Writes a body that names its operand several times. The operand is computed once, in a subquery that OFFSET 0 keeps
 * PostgreSQL from dissolving (it would copy the operand to every place, and nesting would square the text); a bare column is
 * repeated.
 */
export function evaluatedOnce(operand: Operand, body: (name: string) => string): string {
  const bindings: string[] = [];
  return behind(bindings, body(named(operand, bindings)));
}

/** Writes a body that names two operands several times, each of which is computed once. */
export function bothEvaluatedOnce(
  first: Operand,
  second: Operand,
  body: (first: string, second: string) => string,
): string {
  const bindings: string[] = [];
  return behind(bindings, body(named(first, bindings), named(second, bindings)));
}

/** Returns what a body calls an operand, which is bound unless it is cheap. */
function named({ sql, bound }: Operand, bindings: string[]): string {
  if (bound?.kind === "column" || (bound?.kind === "literal" && typeof bound.value === "number")) return sql;
  const name = `v${bindings.length}`;
  bindings.push(`${sql} AS ${name}`);
  return `let.${name}`;
}

function behind(bindings: readonly string[], body: string): string {
  if (bindings.length === 0) return `(${body})`;
  return `(SELECT ${body} FROM (SELECT ${bindings.join(", ")} OFFSET 0) AS let)`;
}
