import { elementAt } from "@lethe/core/numeric";
import type { A_Const } from "@pgsql/types";
import type { Expression } from "../../expressions/expression.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { Scope } from "../names/scope.ts";

/** The number that a numeric constant writes, in PostgreSQL's spellings (1_000, 0x1F, 1e5). */
function numberOf(written: string, offset: number | undefined): number {
  const value = Number(written.replaceAll("_", ""));
  if (!Number.isFinite(value))
    refuse("query.type", "a number is too large", "write numbers below 1e308", offset);
  return value;
}

/** The parse tree leaves out what is 0, false or empty. */
export function resolveLiteral(node: A_Const, scope: Scope): Expression {
  if (node.isnull) return scope.build.literal(null);
  if (node.ival) return scope.build.literal(node.ival.ival ?? 0);
  if (node.fval) return scope.build.literal(numberOf(node.fval.fval ?? "0", node.location));
  if (node.boolval) return scope.build.literal(node.boolval.boolval ?? false);
  if (node.sval) return scope.build.literal(node.sval.sval ?? "");
  return refuse("query.unsupported", "bit strings are not known", "write a number or a text", node.location);
}

/** The value of an expression that is the same number on every row; null where it is not one. */
export function constantNumber(expression: Expression): number | null {
  const { domain } = expression;
  if (domain.type !== "number" || domain.nullable || domain.values?.length !== 1) return null;
  return elementAt(domain.values, 0);
}
