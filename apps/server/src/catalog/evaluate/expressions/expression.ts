import type { Node } from "@pgsql/types";
import type { Compiler } from "../compiler.ts";
import type { Expr } from "../expr.ts";
import { unknownNode } from "../nodes.ts";
import type { Scope } from "../scope.ts";
import { callExpression } from "./calls.ts";
import { columnExpression } from "./columns.ts";
import { constantExpression, parameterExpression, valueFunctionExpression } from "./constants.ts";
import {
  arrayExpression,
  booleanExpression,
  caseExpression,
  castExpression,
  coalesceExpression,
  extremeExpression,
  indirectionExpression,
  nullTest,
  rowExpression,
  truthTest,
} from "./forms.ts";
import { operatorExpression } from "./operators.ts";
import { subLinkExpression } from "./sub-links.ts";

/** Reads an expression. Errors: query.unsupported for a form that is not known, and those of the forms. */
export function readExpression(node: Node, compiler: Compiler, scope: Scope): Expr {
  if ("ColumnRef" in node) return columnExpression(node.ColumnRef, scope);
  if ("A_Const" in node) return constantExpression(node.A_Const);
  if ("FuncCall" in node) return callExpression(node.FuncCall, compiler, scope);
  if ("A_Expr" in node) return operatorExpression(node.A_Expr, compiler, scope);
  if ("BoolExpr" in node) return booleanExpression(node.BoolExpr, compiler, scope);
  if ("TypeCast" in node) return castExpression(node.TypeCast, compiler, scope);
  if ("CaseExpr" in node) return caseExpression(node.CaseExpr, compiler, scope);
  if ("SubLink" in node) return subLinkExpression(node.SubLink, compiler, scope);
  if ("NullTest" in node) return nullTest(node.NullTest, compiler, scope);
  if ("BooleanTest" in node) return truthTest(node.BooleanTest, compiler, scope);
  if ("CoalesceExpr" in node) return coalesceExpression(node.CoalesceExpr.args ?? [], compiler, scope);
  if ("MinMaxExpr" in node) return extremeExpression(node.MinMaxExpr, compiler, scope);
  if ("A_ArrayExpr" in node) return arrayExpression(node.A_ArrayExpr, compiler, scope);
  if ("RowExpr" in node) return rowExpression(node.RowExpr, compiler, scope);
  if ("A_Indirection" in node) return indirectionExpression(node.A_Indirection, compiler, scope);
  if ("ParamRef" in node) return parameterExpression(node.ParamRef, compiler);
  if ("SQLValueFunction" in node) return valueFunctionExpression(node.SQLValueFunction);
  if ("CollateClause" in node) {
    const { column: _, ...rest } = readExpression(node.CollateClause.arg as Node, compiler, scope);
    return rest;
  }
  return unknownNode(node);
}
