import { LetheError } from "@lethe/core";
import type { A_Expr, CaseExpr, FuncCall, Node, TypeCast } from "@pgsql/types";
import { isDerivedName } from "./aggregate-names.ts";
import { aggregateCall } from "./bind-aggregate.ts";
import { bindDerived } from "./bind-derived.ts";
import { bindExpression, castOperators, describeNode } from "./bind-expression.ts";
import { bindGrouping, bindOther, type GroupScope, otherCall } from "./bind-grouping.ts";
import { bindLiteral } from "./bind-literal.ts";
import type { Aggregate, PostExpression, PostOperator } from "./bound-query.ts";
import { typeNames } from "./build-expression.ts";
import type { Domain } from "./domain.ts";
import type { Expression } from "./expression.ts";
import { functionName, offsetOf } from "./nodes.ts";
import { postSize } from "./post-parts.ts";
import { constantTime, readTimes } from "./post-times.ts";
import { refuse } from "./refuse.ts";
import { fieldNames, hasColumn } from "./scope.ts";
import { writeSql } from "./write-sql.ts";

/** What computed columns, HAVING and ORDER BY may speak of: released columns alone. */
export interface PostScope extends GroupScope {
  /** Index of the aggregate, which is measured from now on even if it is not shown. */
  measure(call: FuncCall): number;
  /** What a measured aggregate is: a quantile of times is a time. */
  typeOf(aggregate: number): Domain["type"];
  /** The same of a bound aggregate. */
  measured(aggregate: Aggregate, offset: number | undefined): number;
  /** The output column of a name, if the select list gives it to one. */
  alias(name: string): TypedPost | null;
  /** Whether an alias goes before a column of the same name: in ORDER BY, not in HAVING. */
  readonly aliasFirst: boolean;
  /** Where the expression stands, for refusals. */
  readonly clause: "the select list" | "HAVING" | "ORDER BY";
}

type PostType = Domain["type"] | "null";
export interface TypedPost {
  readonly expression: PostExpression;
  readonly type: PostType;
  /** Nodes as they are written out: BETWEEN repeats its operand. */
  readonly size: number;
}

const maxDepth = 100;
const maxSize = 5_000;

/** Binds an expression over one released row. Errors: query.unsupported, query.type, and those of its parts. */
export function bindPost(node: Node, scope: PostScope, depth = 0): TypedPost {
  if (depth > maxDepth)
    refuse(
      "query.too-large",
      `an expression nests deeper than ${maxDepth} levels`,
      "split it",
      offsetOf(node),
    );
  const bind = (inner: Node): TypedPost => bindPost(inner, scope, depth + 1);

  const aggregate = aggregateCall(node);
  if (aggregate && isDerivedName(functionName(aggregate.funcname))) {
    const expression = bindDerived(aggregate, scope, (part) => ({
      kind: "aggregate",
      aggregate: scope.measured(part, aggregate.location),
    }));
    return { expression, type: "number", size: postSize(expression) };
  }
  if (aggregate) {
    const place = scope.measure(aggregate);
    return { expression: { kind: "aggregate", aggregate: place }, type: scope.typeOf(place), size: 1 };
  }
  if ("GroupingFunc" in node) {
    const expression = bindGrouping(node.GroupingFunc, scope);
    return { expression, type: "number", size: postSize(expression) };
  }
  const other = otherCall(node);
  if (other) return { expression: bindOther(other, scope), type: "boolean", size: 3 };
  if ("A_Const" in node) {
    const literal = bindLiteral(node.A_Const, scope) as Expression & { kind: "literal" };
    return {
      expression: { kind: "literal", value: literal.value },
      type: literal.value === null ? "null" : literal.domain.type,
      size: 1,
    };
  }
  return (
    namedColumn(node, scope) ??
    groupKey(node, scope) ??
    constantTime(node, scope) ??
    bindCall(node, bind) ??
    refuseLeaf(node, scope)
  );
}

function namedColumn(node: Node, scope: PostScope): TypedPost | null {
  if (!("ColumnRef" in node)) return null;
  const names = fieldNames(node.ColumnRef.fields);
  if (names?.length !== 1) return null;
  const isColumn = hasColumn(names[0]!, scope);
  if (isColumn && !scope.aliasFirst) return null;
  return scope.alias(names[0]!);
}

/** The group key that a node spells, whatever it is made of. */
function groupKey(node: Node, scope: PostScope): TypedPost | null {
  if (scope.keys.length === 0) return null;
  let sql: string;
  try {
    sql = writeSql(bindExpression(node, scope));
  } catch (error) {
    // What is no row-level expression may still be one over released columns.
    if (error instanceof LetheError) return null;
    throw error;
  }
  const key = scope.keySql.indexOf(sql);
  return key < 0 ? null : { expression: { kind: "key", key }, type: scope.keys[key]!.domain.type, size: 1 };
}

const symbols: Readonly<
  Record<string, { readonly operator: PostOperator; readonly takes: Domain["type"] | "same" }>
> = {
  "+": { operator: "+", takes: "number" },
  "-": { operator: "-", takes: "number" },
  "*": { operator: "*", takes: "number" },
  "/": { operator: "/", takes: "number" },
  "%": { operator: "%", takes: "number" },
  "^": { operator: "power", takes: "number" },
  "=": { operator: "=", takes: "same" },
  "<>": { operator: "<>", takes: "same" },
  "<": { operator: "<", takes: "same" },
  "<=": { operator: "<=", takes: "same" },
  ">": { operator: ">", takes: "same" },
  ">=": { operator: ">=", takes: "same" },
};

/** The type that arguments share, NULL being of every type. Errors: query.type. */
function sharedType(operator: string, args: readonly TypedPost[], offset: number | undefined): PostType {
  const due = args.find((arg) => arg.type !== "null")?.type ?? "null";
  demandTypes(operator, due, args, offset);
  return due;
}

function demandTypes(
  operator: string,
  due: PostType,
  args: readonly TypedPost[],
  offset: number | undefined,
): void {
  for (const { type } of args)
    if (due !== "null" && type !== "null" && type !== due)
      refuse(
        "query.type",
        `${operator} takes ${typeNames[due]} here, not ${typeNames[type]}`,
        type === "text" ? "write numbers without quotes" : "compare values of one type",
        offset,
      );
}

function sizeOf(parts: readonly TypedPost[], offset: number | undefined): number {
  const size = parts.reduce((total, part) => total + part.size, 1);
  if (size > maxSize)
    refuse(
      "query.too-large",
      "an expression over released rows grows too large",
      "split the question",
      offset,
    );
  return size;
}

function call(
  operator: PostOperator,
  takes: Domain["type"] | "same" | "any",
  gives: Domain["type"] | "same",
  given: readonly TypedPost[],
  offset: number | undefined,
): TypedPost {
  const args = takes === "same" ? readTimes(given, offset) : given;
  if (takes !== "same" && takes !== "any") demandTypes(operator, takes, args, offset);
  const shared = takes === "same" ? sharedType(operator, args, offset) : "null";
  return {
    expression: { kind: "call", operator, args: args.map((arg) => arg.expression) },
    type: gives === "same" ? shared : gives,
    size: sizeOf(args, offset),
  };
}

type Bind = (node: Node) => TypedPost;

function bindCall(node: Node, bind: Bind): TypedPost | null {
  if ("BoolExpr" in node) {
    const operator = { AND_EXPR: "and", OR_EXPR: "or", NOT_EXPR: "not" } as const;
    const { boolop, args, location } = node.BoolExpr;
    return call(operator[boolop!], "boolean", "boolean", (args ?? []).map(bind), location);
  }
  if ("NullTest" in node) {
    const { nulltesttype, arg, location } = node.NullTest;
    return call(
      nulltesttype === "IS_NULL" ? "is-null" : "is-not-null",
      "any",
      "boolean",
      [bind(arg!)],
      location,
    );
  }
  if ("A_Expr" in node) return bindOperator(node.A_Expr, bind);
  if ("CaseExpr" in node) return bindCase(node.CaseExpr, bind);
  if ("TypeCast" in node) return bindCast(node.TypeCast, bind);
  if ("CoalesceExpr" in node) {
    const { args = [], location } = node.CoalesceExpr;
    return call("coalesce", "same", "same", args.map(bind), location);
  }
  if ("MinMaxExpr" in node) {
    const { op, args = [], location } = node.MinMaxExpr;
    return call(op === "IS_LEAST" ? "least" : "greatest", "number", "number", args.map(bind), location);
  }
  if ("FuncCall" in node) return bindFunction(node.FuncCall, bind);
  return null;
}

/** Functions of numbers, by the names people call them: how many arguments each takes. */
const functions: ReadonlyMap<
  string,
  { readonly operator: PostOperator; readonly min: number; readonly max: number }
> = new Map(
  (
    [
      ["abs", "abs"],
      ["sign", "sign"],
      ["floor", "floor"],
      ["ceil", "ceil"],
      ["ceiling", "ceil"],
      ["round", "round", 1, 2],
      ["sqrt", "sqrt"],
      ["ln", "ln"],
      ["log", "log10"],
      ["log10", "log10"],
      ["exp", "exp"],
      ["power", "power", 2],
      ["pow", "power", 2],
      ["mod", "%", 2],
      ["safe_divide", "/", 2],
    ] as const
  ).map(([name, operator, min = 1, max = min]) => [name, { operator, min, max }]),
);

function bindFunction({ funcname, args = [], location }: FuncCall, bind: Bind): TypedPost | null {
  const name = functionName(funcname);
  if (name === "ifnull" && args.length === 2)
    return call("coalesce", "same", "same", args.map(bind), location);
  const known = functions.get(name);
  if (!known || args.length < known.min || args.length > known.max) return null;
  const bound = args.map(bind);
  demandConstant(known.operator, bound, location);
  return call(known.operator, "number", "number", bound, location);
}

/** Digits and exponents are public constants, as they are in expressions over rows. */
function demandConstant(
  operator: PostOperator,
  args: readonly TypedPost[],
  offset: number | undefined,
): void {
  const [, second] = args;
  if (!second || (operator !== "round" && operator !== "power")) return;
  const value = constantOf(second.expression);
  if (operator === "round" && !(value !== null && Number.isInteger(value) && Math.abs(value) <= 15))
    refuse(
      "query.type",
      "ROUND: the number of digits must be a constant",
      "write a whole number between -15 and 15, such as ROUND(AVG(x), 2)",
      offset,
    );
  if (operator === "power" && !(value !== null && Math.abs(value) <= 64))
    refuse(
      "query.type",
      "POWER: the exponent must be a constant",
      "write a number between -64 and 64, such as POWER(AVG(x), 2)",
      offset,
    );
}

/** The number that a constant writes, perhaps behind a minus. */
function constantOf(expression: PostExpression): number | null {
  if (expression.kind === "literal") return typeof expression.value === "number" ? expression.value : null;
  if (expression.kind !== "call" || expression.operator !== "negate") return null;
  const inner = constantOf(expression.args[0]!);
  return inner === null ? null : -inner;
}

/** CASE x WHEN v … compares x with each v. */
function bindCase(expr: CaseExpr, bind: Bind): TypedPost {
  const { location } = expr;
  const branches = (expr.args ?? []).map((branch) => {
    const { expr: tested, result } = (branch as { CaseWhen: { expr: Node; result: Node } }).CaseWhen;
    const when = expr.arg
      ? call("=", "same", "boolean", [bind(expr.arg), bind(tested)], location)
      : bind(tested);
    demandTypes("CASE WHEN", "boolean", [when], location);
    return { when, result: bind(result) };
  });
  const nothing: TypedPost = { expression: { kind: "literal", value: null }, type: "null", size: 1 };
  const otherwise = expr.defresult ? bind(expr.defresult) : nothing;
  const results = [...branches.map(({ result }) => result), otherwise];
  return {
    expression: {
      kind: "case",
      branches: branches.map(({ when, result }) => ({
        when: when.expression,
        // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
        then: result.expression,
      })),
      otherwise: otherwise.expression,
    },
    type: sharedType("CASE", results, location),
    size: sizeOf([...branches.map(({ when }) => when), ...results], location),
  };
}

/** Numbers are doubles already; casts to integers round halves to even. */
function bindCast(cast: TypeCast, bind: Bind): TypedPost | null {
  const operator = castOperators[functionName(cast.typeName?.names)];
  const { arrayBounds, setof, typmods, location } = cast.typeName ?? {};
  if ((operator !== "to-number" && operator !== "to-integer") || arrayBounds || setof) return null;
  if (typmods && typmods.length > 0)
    refuse(
      "query.unsupported",
      "types with a length or a precision are not known",
      "write ROUND(…, 2) and no precision",
      location,
    );
  const arg = bind(cast.arg!);
  if (operator === "to-integer") return call("to-integer", "number", "number", [arg], location);
  demandTypes("a cast", "number", [arg], location);
  return { ...arg, type: "number" };
}

function bindOperator(expr: A_Expr, bind: Bind): TypedPost | null {
  const { location } = expr;
  const symbol = functionName(expr.name);
  const items = expr.rexpr && "List" in expr.rexpr ? (expr.rexpr.List.items ?? []) : [];
  const negated = (bound: TypedPost, when: boolean): TypedPost =>
    when ? call("not", "boolean", "boolean", [bound], location) : bound;
  if (expr.kind === "AEXPR_IN")
    return negated(
      call("in", "same", "boolean", [expr.lexpr!, ...items].map(bind), location),
      symbol === "<>",
    );
  if (expr.kind === "AEXPR_BETWEEN" || expr.kind === "AEXPR_NOT_BETWEEN") {
    const [x, lo, hi] = [expr.lexpr!, ...items].map(bind) as [TypedPost, TypedPost, TypedPost];
    const above = call(">=", "same", "boolean", [x, lo], location);
    const below = call("<=", "same", "boolean", [x, hi], location);
    return negated(
      call("and", "boolean", "boolean", [above, below], location),
      expr.kind === "AEXPR_NOT_BETWEEN",
    );
  }
  if (expr.kind === "AEXPR_NULLIF")
    return call("nullif", "same", "same", [bind(expr.lexpr!), bind(expr.rexpr!)], location);
  if (expr.kind !== "AEXPR_OP") return null;
  if (!expr.lexpr) {
    const arg = bind(expr.rexpr!);
    if (symbol === "+") {
      demandTypes("+", "number", [arg], location);
      return arg;
    }
    return symbol === "-" ? call("negate", "number", "number", [arg], location) : null;
  }
  const known = symbols[symbol];
  if (!known) return null;
  const gives = known.takes === "same" ? "boolean" : "number";
  const sides = [bind(expr.lexpr), bind(expr.rexpr!)];
  demandConstant(known.operator, sides, location);
  return call(known.operator, known.takes, gives, sides, location);
}

function refuseLeaf(node: Node, scope: PostScope): never {
  // Says what is wrong with it as an expression, if anything is.
  const written = writeSql(bindExpression(node, scope));
  const what = "ColumnRef" in node ? written : `${written} (${describeNode(node)})`;
  return refuse(
    "query.unsupported",
    `${what} is neither a group nor an aggregate`,
    scope.clause === "the select list"
      ? `columns are computed from keys and aggregates: group by ${written}, or put it into an aggregate`
      : `HAVING and ORDER BY work on released columns: group by ${written}, or put the condition into WHERE`,
    offsetOf(node),
  );
}
