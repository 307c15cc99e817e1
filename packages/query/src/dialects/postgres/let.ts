import type { Expression } from "../../expressions/expression.ts";

/** An operand of the body of {@link evaluatedOnce}. */
export interface Operand {
  readonly sql: string;
  /** The operand as it was bound; a column or literal is cheap enough to stand several times. */
  readonly bound?: Expression;
}

/**
 * Writes a body that names its operands several times. Each operand is computed once, in a subquery that OFFSET 0 keeps
 * PostgreSQL from dissolving (it would copy the operand to every place, and nesting would square the text); bare columns are
 * repeated.
 */
export function evaluatedOnce(
  operands: readonly Operand[],
  body: (...names: readonly string[]) => string,
): string {
  const bindings: string[] = [];
  const names = operands.map(({ sql, bound }) => {
    if (bound?.kind === "column" || (bound?.kind === "literal" && typeof bound.value === "number"))
      return sql;
    const name = `v${bindings.length}`;
    bindings.push(`${sql} AS ${name}`);
    return `let.${name}`;
  });
  if (bindings.length === 0) return `(${body(...names)})`;
  return `(SELECT ${body(...names)} FROM (SELECT ${bindings.join(", ")} OFFSET 0) AS let)`;
}
