import { elementAt } from "@lethe/core/numeric";
import type { BooleanTest, CaseExpr, FuncCall, Node } from "@pgsql/types";
import { demandType } from "../../expressions/build/build-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { Operator } from "../../expressions/operator.ts";
import { didYouMean } from "../../refusals/did-you-mean.ts";
import { refuse } from "../../refusals/refuse.ts";
import { isAggregateName, measuredNames } from "../names/aggregate-names.ts";
import { functionName, meaningOf, offsetOf, part } from "../names/nodes.ts";
import { refuseWindow } from "../names/refuse-window.ts";
import { releasedOf } from "../names/released-node.ts";
import { findColumn, presenceOf, resolveColumn, type Scope } from "../names/scope.ts";
import { extractedAge } from "./ages.ts";
import { refusedFunctions } from "./refused-functions.ts";
import { resolveCast } from "./resolve-cast.ts";
import { resolveLiteral } from "./resolve-literal.ts";
import { type Resolve, resolveOperator } from "./resolve-operator.ts";
import { extractedSpan } from "./resolve-time.ts";
import { rowFunctions } from "./row-functions.ts";
import { timeBucket } from "./time-buckets.ts";
import { atTimeZone } from "./time-zones.ts";

/** Deeper trees gain a question nothing and cost every engine its stack. */
export const maxDepth = 100;

/** Resolves an expression over one row: names become the policy's columns, types are checked, domains derived. */
export function resolveExpression(node: Node, scope: Scope, depth = 0): Expression {
  if (depth > maxDepth)
    refuse(
      "query.too-large",
      `an expression nests deeper than ${maxDepth} levels`,
      "split it",
      offsetOf(node),
    );
  const resolve = (inner: Node): Expression => resolveExpression(inner, scope, depth + 1);
  const all = (inner: readonly Node[] = []): Expression[] => inner.map(resolve);
  const { build } = scope;

  if ("ColumnRef" in node) return resolveColumn(node.ColumnRef, scope);
  if ("A_Const" in node) return resolveLiteral(node.A_Const, scope);
  if ("A_Expr" in node) return resolveOperator(node.A_Expr, scope, resolve);
  if ("FuncCall" in node) return resolveFunction(node.FuncCall, scope, resolve);
  if ("CaseExpr" in node) return resolveCase(node.CaseExpr, scope, resolve);
  if ("TypeCast" in node) return resolveCast(node.TypeCast, scope, resolve);
  if ("BoolExpr" in node) {
    const { boolop, args, location } = node.BoolExpr;
    return build.call(connectives[part(boolop)], all(args), location);
  }
  if ("NullTest" in node) {
    const { nulltesttype, arg, location } = node.NullTest;
    const present = arg ? hasUnit(arg, scope) : null;
    if (present) return nulltesttype === "IS_NULL" ? build.call("not", [present], location) : present;
    return build.call(nulltesttype === "IS_NULL" ? "is-null" : "is-not-null", [resolve(part(arg))], location);
  }
  if ("BooleanTest" in node) return resolveBooleanTest(node.BooleanTest, scope, resolve);
  if ("CoalesceExpr" in node) {
    const args = all(node.CoalesceExpr.args);
    return args.length === 1 ? elementAt(args, 0) : build.call("coalesce", args, node.CoalesceExpr.location);
  }
  if ("MinMaxExpr" in node) {
    const { op, args, location } = node.MinMaxExpr;
    return build.call(op === "IS_LEAST" ? "least" : "greatest", all(args), location);
  }
  const released = releasedOf(node);
  if (released) return released;
  const mark = "SubLink" in node ? scope.marks?.get(meaningOf(node)) : undefined;
  if (mark) return mark;
  return refuse(
    "query.unsupported",
    `${describeNode(node)} cannot be part of a question`,
    leafFixes[elementAt(Object.keys(node), 0)] ?? "remove it",
    offsetOf(node),
  );
}

/** Returns whether a row has the unit that a node names; null for nodes that name none. */
function hasUnit(node: Node, scope: Scope): Expression | null {
  if (!("ColumnRef" in node)) return null;
  const column = findColumn(node.ColumnRef, scope);
  return column.isUnit ? scope.build.literal(true) : presenceOf(column, scope, node.ColumnRef.location);
}

const connectives = { AND_EXPR: "and", OR_EXPR: "or", NOT_EXPR: "not" } as const;

const leafFixes: Readonly<Record<string, string>> = {
  SQLValueFunction: `write a time out, DATE '2020-02-29', and a column of such a name in quotes, "user"`,
  SubLink:
    "ask whether rows of a public table, or of the same unit, are there: x IN (SELECT y FROM …), or EXISTS (SELECT 1 FROM … WHERE y = x); a value of all is an aggregate of a SELECT that could be asked by itself: x > (SELECT AVG(x) FROM …)",
};

const nodeNames: Readonly<Record<string, string>> = {
  SubLink: "a subquery",
  Released: "the value of an answer",
  ParamRef: "a parameter",
  SQLValueFunction: "the time or the user of the session",
  A_ArrayExpr: "an array",
  A_Indirection: "a part of an array or of a record",
  RowExpr: "a row constructor",
  NamedArgExpr: "a named argument",
  CollateClause: "COLLATE",
  GroupingFunc: "GROUPING",
  SetToDefault: "DEFAULT",
};

export function describeNode(node: Node): string {
  return nodeNames[elementAt(Object.keys(node), 0)] ?? "this form of expression";
}

function resolveBooleanTest(test: BooleanTest, scope: Scope, resolve: Resolve): Expression {
  const arg = resolve(part(test.arg));
  demandType(arg, "boolean", test.location);
  const call = (operator: Operator, inner: Expression): Expression =>
    scope.build.call(operator, [inner], test.location);
  switch (test.booltesttype) {
    case "IS_TRUE":
      return call("is-true", arg);
    case "IS_NOT_TRUE":
      return call("not", call("is-true", arg));
    case "IS_FALSE":
      return call("is-false", arg);
    case "IS_NOT_FALSE":
      return call("not", call("is-false", arg));
    case "IS_UNKNOWN":
      return call("is-null", arg);
    default:
      return call("is-not-null", arg);
  }
}

/** CASE x WHEN v … compares x with each v. */
function resolveCase(expr: CaseExpr, scope: Scope, resolve: Resolve): Expression {
  const { build } = scope;
  const subject = expr.arg ? resolve(expr.arg) : null;
  const branches = (expr.args ?? []).map((branch) => {
    const {
      expr: condition,
      result,
      location,
    } = (branch as { CaseWhen: { expr: Node; result: Node; location?: number } }).CaseWhen;
    const tested = resolve(condition);
    // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
    return { when: subject ? build.call("=", [subject, tested], location) : tested, then: resolve(result) };
  });
  return build.case(branches, expr.defresult ? resolve(expr.defresult) : build.literal(null), expr.location);
}

/**
 * Whether a call has none of the clauses that only an aggregate takes: FILTER, OVER, DISTINCT, ORDER BY, WITHIN GROUP, VARIADIC,
 * a star.
 */
function isPlainCall(call: FuncCall): boolean {
  return !(
    call.agg_filter ||
    call.over ||
    call.agg_distinct ||
    call.agg_order ||
    call.agg_within_group ||
    call.func_variadic ||
    call.agg_star
  );
}

function resolveFunction(call: FuncCall, scope: Scope, resolve: Resolve): Expression {
  const name = functionName(call.funcname);
  const { location } = call;
  if (call.over) refuseWindow(location);
  if (isAggregateName(name))
    refuse(
      "query.unsupported",
      `the aggregate ${name.toUpperCase()} cannot stand inside an expression over rows`,
      "put aggregates into the select list, HAVING or ORDER BY, each by itself",
      location,
    );
  const special = [timeBucket, atTimeZone, extractedAge, extractedSpan];
  for (const found of special) {
    const expression = found(call, scope.build, resolve);
    if (expression) return expression;
  }
  const known = rowFunctions.get(name) ?? refusedFunctions.get(name);
  if (!known)
    refuse(
      "query.unknown-function",
      `there is no function ${name.toUpperCase()}`,
      didYouMean(name, [...rowFunctions.keys(), ...measuredNames()]),
      location,
    );
  const args = call.args ?? [];
  if (!isPlainCall(call) || args.length < known.min || args.length > known.max) {
    const count = known.min === known.max ? `${known.min}` : `${known.min} to ${known.max}`;
    refuse(
      "query.type",
      `${name.toUpperCase()} takes ${count} plain arguments`,
      `write ${name.toUpperCase()}(…) with ${count}`,
      location,
    );
  }
  return known.build(args.map(resolve), scope.build, location);
}
