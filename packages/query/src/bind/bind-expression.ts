import type { A_Expr, BooleanTest, CaseExpr, FuncCall, Node, TypeCast } from "@pgsql/types";
import { didYouMean } from "../policy/did-you-mean.ts";
import { aggregateKinds, isAggregateName } from "./aggregate-names.ts";
import { bindLiteral } from "./bind-literal.ts";
import { bindPattern } from "./bind-pattern.ts";
import { bindTimeArithmetic, castToTime, timeTypes } from "./bind-time.ts";
import { demandType } from "./build-expression.ts";
import { isTime } from "./domain.ts";
import type { Expression, Operator } from "./expression.ts";
import { functionName, offsetOf } from "./nodes.ts";
import { refuse } from "./refuse.ts";
import { refuseWindow } from "./refuse-window.ts";
import { refusedFunctions } from "./refused-functions.ts";
import { asText, rowFunctions } from "./row-functions.ts";
import { bindColumn, type Scope } from "./scope.ts";
import { writeSql } from "./write-sql.ts";

/** Deeper trees gain a question nothing and cost every engine its stack. */
export const maxDepth = 100;

/** Binds an expression over one row: names become the policy's columns, types are checked, domains derived. */
export function bindExpression(node: Node, scope: Scope, depth = 0): Expression {
  if (depth > maxDepth)
    refuse(
      "query.too-large",
      `an expression nests deeper than ${maxDepth} levels`,
      "split it",
      offsetOf(node),
    );
  const bind = (inner: Node): Expression => bindExpression(inner, scope, depth + 1);
  const all = (inner: readonly Node[] = []): Expression[] => inner.map(bind);
  const { build } = scope;

  if ("ColumnRef" in node) return bindColumn(node.ColumnRef, scope);
  if ("A_Const" in node) return bindLiteral(node.A_Const, scope);
  if ("A_Expr" in node) return bindOperator(node.A_Expr, scope, bind);
  if ("FuncCall" in node) return bindFunction(node.FuncCall, scope, bind);
  if ("CaseExpr" in node) return bindCase(node.CaseExpr, scope, bind);
  if ("TypeCast" in node) return bindCast(node.TypeCast, scope, bind);
  if ("BoolExpr" in node) {
    const operator = { AND_EXPR: "and", OR_EXPR: "or", NOT_EXPR: "not" } as const;
    const { boolop, args, location } = node.BoolExpr;
    return build.call(operator[boolop!], all(args), location);
  }
  if ("NullTest" in node) {
    const { nulltesttype, arg, location } = node.NullTest;
    return build.call(nulltesttype === "IS_NULL" ? "is-null" : "is-not-null", [bind(arg!)], location);
  }
  if ("BooleanTest" in node) return bindBooleanTest(node.BooleanTest, scope, bind);
  if ("CoalesceExpr" in node) {
    const args = all(node.CoalesceExpr.args);
    return args.length === 1 ? args[0]! : build.call("coalesce", args, node.CoalesceExpr.location);
  }
  if ("MinMaxExpr" in node) {
    const { op, args, location } = node.MinMaxExpr;
    return build.call(op === "IS_LEAST" ? "least" : "greatest", all(args), location);
  }
  return refuse(
    "query.unsupported",
    `${describeNode(node)} cannot be part of a question`,
    leafFixes[Object.keys(node)[0]!] ?? "remove it",
    offsetOf(node),
  );
}

const leafFixes: Readonly<Record<string, string>> = {
  SQLValueFunction: "write it out: DATE '2020-02-29'",
  SubLink:
    "a subquery over public rows is a condition of WHERE by itself, joined to others by AND: x IN (SELECT y FROM a_public_table)",
};

const nodeNames: Readonly<Record<string, string>> = {
  SubLink: "a subquery",
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
  return nodeNames[Object.keys(node)[0]!] ?? "this form of expression";
}

type Bind = (node: Node) => Expression;

const binary: Readonly<Record<string, Operator>> = {
  "+": "+",
  "-": "-",
  "*": "*",
  "/": "/",
  "%": "%",
  "=": "=",
  "<>": "<>",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};

const operatorFixes: Readonly<Record<string, string>> = {
  "~": "write LIKE '…%'",
  "!~": "write NOT (x LIKE '…%')",
  "~*": "write LOWER(x) LIKE '…%'",
  "!~*": "write NOT (LOWER(x) LIKE '…%')",
};

function bindOperator(expr: A_Expr, scope: Scope, bind: Bind): Expression {
  const { build } = scope;
  const { location } = expr;
  const call = (operator: Operator, ...args: Expression[]): Expression =>
    build.call(operator, args, location);
  const symbol = functionName(expr.name);
  const negated = (expression: Expression, when: boolean): Expression =>
    when ? call("not", expression) : expression;
  const items = (): Node[] => (expr.rexpr && "List" in expr.rexpr ? (expr.rexpr.List.items ?? []) : []);
  const range = (): [Expression, Expression, Expression] => {
    const [lo, hi] = items();
    return [bind(expr.lexpr!), bind(lo!), bind(hi!)];
  };
  const between = (x: Expression, lo: Expression, hi: Expression): Expression =>
    call("and", call(">=", x, lo), call("<=", x, hi));

  switch (expr.kind) {
    case "AEXPR_OP":
      return bindSymbol(expr, symbol, scope, bind);
    case "AEXPR_DISTINCT":
      return call("is-distinct", bind(expr.lexpr!), bind(expr.rexpr!));
    case "AEXPR_NOT_DISTINCT":
      return call("is-not-distinct", bind(expr.lexpr!), bind(expr.rexpr!));
    case "AEXPR_NULLIF":
      return call("nullif", bind(expr.lexpr!), bind(expr.rexpr!));
    case "AEXPR_IN":
      return negated(call("in", bind(expr.lexpr!), ...items().map(bind)), symbol === "<>");
    case "AEXPR_LIKE":
    case "AEXPR_ILIKE":
      return negated(
        bindPattern(bind(expr.lexpr!), expr.rexpr!, expr.kind === "AEXPR_ILIKE", build, location),
        symbol.startsWith("!"),
      );
    case "AEXPR_BETWEEN":
    case "AEXPR_NOT_BETWEEN":
      return negated(between(...range()), expr.kind === "AEXPR_NOT_BETWEEN");
    case "AEXPR_BETWEEN_SYM":
    case "AEXPR_NOT_BETWEEN_SYM": {
      const [x, lo, hi] = range();
      return negated(
        call("or", between(x, lo, hi), between(x, hi, lo)),
        expr.kind === "AEXPR_NOT_BETWEEN_SYM",
      );
    }
    case "AEXPR_SIMILAR":
      return refuse("query.unsupported", "SIMILAR TO is not known", "write LIKE '…%'", location);
    default:
      return refuse(
        "query.unsupported",
        "ANY and ALL over arrays are not known",
        "write x IN (1, 2, 3)",
        location,
      );
  }
}

function bindSymbol(expr: A_Expr, symbol: string, scope: Scope, bind: Bind): Expression {
  const { build } = scope;
  const { location } = expr;
  if (!expr.lexpr) {
    const right = bind(expr.rexpr!);
    if (symbol === "-") return build.call("negate", [right], location);
    if (symbol === "+") {
      demandType(right, "number", location);
      return right;
    }
    if (symbol === "@") return build.call("abs", [right], location);
    if (symbol === "|/") return build.call("sqrt", [right], location);
    return refuse(
      "query.unsupported",
      `the operator ${symbol} is not known`,
      "write it with + - * / % ^",
      location,
    );
  }
  const ofTimes = bindTimeArithmetic(expr, symbol, build, bind);
  if (ofTimes) return ofTimes;
  const left = bind(expr.lexpr);
  const right = bind(expr.rexpr!);
  const operator = binary[symbol];
  if (operator) return build.call(operator, [left, right], location);
  if (symbol === "^") return rowFunctions.get("power")!.build([left, right], build, location);
  if (symbol === "||") {
    const texts = [left, right].map((side) => asText(side, build, location));
    return build.call("concat", texts, location);
  }
  return refuse(
    "query.unsupported",
    `the operator ${symbol} is not known`,
    operatorFixes[symbol] ?? "write it with + - * / % ^ || = <> < <= > >=",
    location,
  );
}

function bindBooleanTest(test: BooleanTest, scope: Scope, bind: Bind): Expression {
  const arg = bind(test.arg!);
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
function bindCase(expr: CaseExpr, scope: Scope, bind: Bind): Expression {
  const { build } = scope;
  const subject = expr.arg ? bind(expr.arg) : null;
  const branches = (expr.args ?? []).map((branch) => {
    const {
      expr: condition,
      result,
      location,
    } = (branch as { CaseWhen: { expr: Node; result: Node; location?: number } }).CaseWhen;
    const tested = bind(condition);
    // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
    return { when: subject ? build.call("=", [subject, tested], location) : tested, then: bind(result) };
  });
  return build.case(branches, expr.defresult ? bind(expr.defresult) : build.literal(null), expr.location);
}

export const castOperators: Readonly<Record<string, Operator>> = {
  int2: "to-integer",
  int4: "to-integer",
  int8: "to-integer",
  int64: "to-integer",
  float4: "to-number",
  float8: "to-number",
  numeric: "to-number",
  double: "to-number",
  float64: "to-number",
  text: "to-text",
  varchar: "to-text",
  string: "to-text",
  bool: "to-boolean",
};

/** Every integer type is the integers up to 2^53, every other number a double; what does not fit is NULL. */
function bindCast(cast: TypeCast, scope: Scope, bind: Bind): Expression {
  const { build } = scope;
  const { typeName } = cast;
  const type = functionName(typeName?.names);
  const offset = typeName?.location;
  const operator = castOperators[type];
  const time = timeTypes[type];
  if (!(operator || time) || typeName?.arrayBounds || typeName?.setof)
    refuse(
      "query.unsupported",
      `the type ${type} is not known`,
      /time|interval/.test(type)
        ? "cast to date or timestamp; an interval is added to one: t + INTERVAL '1 month'"
        : "cast to double precision, bigint, text, boolean, date or timestamp",
      offset,
    );
  const arg = bind(cast.arg!);
  if ((typeName?.typmods?.length ?? 0) > 0)
    refuse(
      "query.unsupported",
      "types with a length or a precision are not known",
      operator === "to-text" ? `write LEFT(${writeSql(arg)}, 10)` : `write ROUND(${writeSql(arg)}, 2)`,
      offset,
    );
  if (time) return castToTime(time, arg, build, offset);
  if (operator === "to-text") return asText(arg, build, offset);
  if (isTime(arg.domain)) demandType(arg, operator === "to-boolean" ? "boolean" : "number", offset);
  return build.call(operator!, [arg], offset);
}

/** What only an aggregate takes: FILTER, OVER, DISTINCT, ORDER BY, WITHIN GROUP, VARIADIC, a star. */
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

function bindFunction(call: FuncCall, scope: Scope, bind: Bind): Expression {
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
  const known = rowFunctions.get(name) ?? refusedFunctions.get(name);
  if (!known)
    refuse(
      "query.unknown-function",
      `no function ${name.toUpperCase()}`,
      didYouMean(name, [...rowFunctions.keys(), ...aggregateKinds.keys()]),
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
  return known.build(args.map(bind), scope.build, location);
}
