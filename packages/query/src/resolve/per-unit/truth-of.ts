import type { FuncCall, Node } from "@pgsql/types";
import { functionName } from "../names/nodes.ts";

/**
 * Writes whether a condition is true of some row, or of every row, as what it comes to: BOOL_OR(c) as MAX(CASE WHEN c THEN 1 WHEN NOT c
 * THEN 0 END) = 1, and BOOL_AND(c) with MIN. Returns null for other aggregates.
 */
export function truthOf(call: FuncCall): Node | null {
  const extreme = extremes.get(functionName(call.funcname));
  const [condition, ...others] = call.args ?? [];
  if (extreme === undefined || !condition || others.length > 0 || call.agg_distinct || call.agg_order)
    return null;
  const not: Node = { BoolExpr: { boolop: "NOT_EXPR", args: [condition] } };
  const argument: Node = { CaseExpr: { args: [branch(condition, 1), branch(not, 0)] } };
  const most: Node = { FuncCall: { ...call, funcname: [word(extreme)], args: [argument] } };
  return { A_Expr: { kind: "AEXPR_OP", name: [word("=")], lexpr: most, rexpr: integer(1) } };
}

const extremes: ReadonlyMap<string, "max" | "min"> = new Map([
  ["bool_or", "max"],
  ["bool_and", "min"],
  ["every", "min"],
]);

const word = (sval: string): Node => ({ String: { sval } });
/** The grammar leaves out a zero. */
const integer = (ival: number): Node => ({ A_Const: { ival: ival === 0 ? {} : { ival } } });
const branch = (expr: Node, value: number): Node => ({ CaseWhen: { expr, result: integer(value) } });
