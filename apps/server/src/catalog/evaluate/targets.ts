import type { Node } from "@pgsql/types";
import { refused } from "../refuse.ts";
import { stringOf, stringsOf } from "./nodes.ts";
import type { Scope, SourceColumn } from "./scope.ts";

/** Returns the columns that * or t.* stands for, seen from the scope; null of any other node. Errors: query.unknown-table. */
export function expandStar(node: Node | undefined, scope: Scope): readonly SourceColumn[] | null {
  if (!node || !("ColumnRef" in node)) return null;
  const fields = node.ColumnRef.fields ?? [];
  const last = fields.at(-1);
  if (!last || !("A_Star" in last)) return null;
  const [table, schema] = fields.slice(0, -1).map(stringOf).reverse();
  if (table === undefined) {
    if (scope.sources.length === 0)
      refused("query.syntax", "SELECT * names no table", node.ColumnRef.location);
    return scope.star.map((column) => ({
      ...column,
      expr: scope.seenFrom(column.expr, column.slots, scope.level),
    }));
  }
  const found = scope.source(table ?? "", schema ?? null);
  if (!found)
    return refused(
      "query.unknown-table",
      `there is no table ${JSON.stringify(table)} in FROM`,
      node.ColumnRef.location,
    );
  return found.source.columns
    .filter(({ isHidden }) => !isHidden)
    .map((column) => ({ ...column, expr: found.scope.seenFrom(column.expr, column.slots, scope.level) }));
}

const valueFunctions: Readonly<Record<string, string>> = {
  SVFOP_CURRENT_DATE: "current_date",
  SVFOP_CURRENT_TIME: "current_time",
  SVFOP_CURRENT_TIMESTAMP: "current_timestamp",
  SVFOP_LOCALTIMESTAMP: "localtimestamp",
  SVFOP_CURRENT_ROLE: "current_role",
  SVFOP_CURRENT_USER: "current_user",
  SVFOP_USER: "user",
  SVFOP_SESSION_USER: "session_user",
  SVFOP_CURRENT_CATALOG: "current_catalog",
  SVFOP_CURRENT_SCHEMA: "current_schema",
};

/** Returns the name of a column that is not named, as PostgreSQL's FigureColname gives it. */
export function targetName(node: Node | undefined): string {
  return nameOf(node)?.name ?? "?column?";
}

/** A name, and whether it is a strong one, which is kept where an expression stands around it. */
function nameOf(node: Node | undefined): { readonly name: string; readonly isStrong: boolean } | null {
  if (!node) return null;
  const strong = (name: string | null | undefined): ReturnType<typeof nameOf> =>
    name === null || name === undefined ? null : { name, isStrong: true };
  if ("ColumnRef" in node) return strong(stringsOf(node.ColumnRef.fields).at(-1));
  if ("FuncCall" in node) return strong(stringsOf(node.FuncCall.funcname).at(-1));
  if ("A_Indirection" in node)
    return strong(stringsOf(node.A_Indirection.indirection).at(-1)) ?? nameOf(node.A_Indirection.arg);
  if ("TypeCast" in node) {
    const inner = nameOf(node.TypeCast.arg);
    if (inner?.isStrong) return inner;
    const type = stringsOf(node.TypeCast.typeName?.names).at(-1);
    return type === undefined ? inner : { name: type, isStrong: false };
  }
  if ("CollateClause" in node) return nameOf(node.CollateClause.arg);
  if ("CaseExpr" in node) {
    const inner = nameOf(node.CaseExpr.defresult);
    return inner?.isStrong ? inner : { name: "case", isStrong: false };
  }
  if ("A_Expr" in node && node.A_Expr.kind === "AEXPR_NULLIF") return strong("nullif");
  if ("CoalesceExpr" in node) return strong("coalesce");
  if ("MinMaxExpr" in node) return strong(node.MinMaxExpr.op === "IS_LEAST" ? "least" : "greatest");
  if ("A_ArrayExpr" in node) return strong("array");
  if ("RowExpr" in node) return strong("row");
  if ("GroupingFunc" in node) return strong("grouping");
  if ("SQLValueFunction" in node) return strong(valueFunctions[node.SQLValueFunction.op ?? ""]);
  if ("SubLink" in node) return subLinkName(node);
  return null;
}

function subLinkName(node: Extract<Node, { SubLink: unknown }>): ReturnType<typeof nameOf> {
  const { subLinkType, subselect } = node.SubLink;
  if (subLinkType === "EXISTS_SUBLINK") return { name: "exists", isStrong: true };
  if (subLinkType === "ARRAY_SUBLINK") return { name: "array", isStrong: true };
  if (subLinkType !== "EXPR_SUBLINK" || !subselect || !("SelectStmt" in subselect)) return null;
  const [target] = subselect.SelectStmt.targetList ?? [];
  if (!target || !("ResTarget" in target)) return null;
  const { name, val } = target.ResTarget;
  return name === undefined
    ? nameOf(val) && { name: targetName(val), isStrong: true }
    : { name, isStrong: true };
}
