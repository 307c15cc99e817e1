import type { Call } from "../dialect.ts";
import { numberDomain } from "../number-domain.ts";

/*
 * DuckDB expands CASE and NULLIF over a repeated operand, so that nesting would square the text at each level. A lambda
 * over a list of one evaluates its operand once.
 */
export function evaluatedOnce(operand: string, body: (v: string) => string): string {
  return `list_transform([${operand}], lambda v: ${body("v")})[1]`;
}

/** NULL for NaN and ±Inf. */
export function finite(x: string): string {
  return evaluatedOnce(x, (v) => `CASE WHEN isfinite(${v}) THEN ${v} END`);
}

/** Guards a result whose domain has no bounds: it may overflow. */
export function guardOverflow(call: Call, sql: string): string {
  return numberDomain(call).bounds === null ? finite(sql) : sql;
}

/** Guards a result that may be undefined: NULL is then in its domain. */
export function guardUndefined(call: Call, sql: string): string {
  const { bounds, nullable } = numberDomain(call);
  return bounds === null || nullable ? finite(sql) : sql;
}

/** DuckDB raises for √ and logarithms outside their domain; TRY makes that NULL. Never left out, whatever a domain proves. */
export function tried(sql: string): string {
  return `TRY(${sql})`;
}
