import type { CaseWhen, FuncCall, Node } from "@pgsql/types";
import type { Expression } from "../../expressions/expression.ts";
import { findColumn, type Scope, type ScopeColumn } from "../names/scope.ts";

/**
 * Reads what is counted of units under a condition, CASE WHEN c THEN unit END, as the unit with the condition as a filter. Returns the call
 * itself where its argument is nothing of the kind.
 * @example COUNT(DISTINCT CASE WHEN paid THEN user_id END) // as COUNT(DISTINCT user_id) FILTER (WHERE paid)
 */
export function unitsWhere(call: FuncCall, scope: Scope): FuncCall {
  const [argument, ...others] = call.args ?? [];
  if (!argument || others.length > 0 || !("CaseExpr" in argument) || argument.CaseExpr.arg) return call;
  const { args = [], defresult } = argument.CaseExpr;
  const branches = args.map((node) => (node as { CaseWhen: CaseWhen }).CaseWhen);
  const results = [...branches.map(({ result }) => result), ...(defresult ? [defresult] : [])];
  const counted = results.filter((result): result is Node => result !== undefined && !isNull(result));
  const units = counted.map((result) => countable(result, scope));
  const [unit] = counted;
  if (!unit || units.some((column) => column === null || column !== units[0])) return call;
  const [only, ...more] = branches;
  const both = (when: Node): FuncCall => ({
    ...call,
    args: [unit],
    agg_filter: call.agg_filter ? { BoolExpr: { boolop: "AND_EXPR", args: [call.agg_filter, when] } } : when,
  });
  // A filter, as a branch, is met by what is true alone.
  if (only?.expr && more.length === 0 && (defresult === undefined || isNull(defresult)))
    return both(only.expr);
  const holds = (result: Node | undefined): Node => truth(result !== undefined && !isNull(result));
  const when: Node = {
    CaseExpr: {
      args: branches.map(
        ({ expr, result }): Node => ({ CaseWhen: { ...(expr ? { expr } : {}), result: holds(result) } }),
      ),
      defresult: holds(defresult),
    },
  };
  return both(when);
}

/** The column of units that a node is, where units may be counted by it; null for other nodes. */
function countable(node: Node, scope: Scope): ScopeColumn | null {
  if (!("ColumnRef" in node)) return null;
  const column = findColumn(node.ColumnRef, scope);
  return column.isUnit || (column.namesUnit && column.present) ? column : null;
}

/** 1 where a condition is true, NULL elsewhere. */
export function onlyWhere(when: Expression, { build }: Scope, offset: number | undefined): Expression {
  // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
  return build.case([{ when, then: build.literal(1) }], build.literal(null), offset);
}

function isNull(node: Node): boolean {
  return "A_Const" in node && node.A_Const.isnull === true;
}

/** The grammar leaves out a false. */
function truth(boolval: boolean): Node {
  return { A_Const: { boolval: boolval ? { boolval } : {} } };
}
