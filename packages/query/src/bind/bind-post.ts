import { LetheError } from "@lethe/core";
import type { A_Expr, FuncCall, Node } from "@pgsql/types";
import { aggregateCall } from "./bind-aggregate.ts";
import { bindExpression, describeNode } from "./bind-expression.ts";
import { bindLiteral } from "./bind-literal.ts";
import type { PostExpression, PostOperator } from "./bound-query.ts";
import { typeNames } from "./build-expression.ts";
import type { Domain } from "./domain.ts";
import type { Expression } from "./expression.ts";
import { functionName, offsetOf } from "./nodes.ts";
import { refuse } from "./refuse.ts";
import { fieldNames, resolveName, type Scope } from "./scope.ts";
import { writeSql } from "./write-sql.ts";

/** What HAVING and ORDER BY may speak of: released columns alone. */
export interface PostScope extends Scope {
  readonly keys: readonly Expression[];
  /** The keys as SQL: their identity. */
  readonly keySql: readonly string[];
  /** Index of the aggregate, which is measured from now on even if it is not shown. */
  measure(call: FuncCall): number;
  /** The output column of a name, if the select list gives it to one. */
  alias(name: string): PostExpression | null;
  /** Whether an alias goes before a column of the same name: in ORDER BY, not in HAVING. */
  readonly aliasFirst: boolean;
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
  if (aggregate)
    return {
      expression: { kind: "aggregate", aggregate: scope.measure(aggregate) },
      type: "number",
      size: 1,
    };
  if ("A_Const" in node) {
    const literal = bindLiteral(node.A_Const, scope) as Expression & { kind: "literal" };
    return {
      expression: { kind: "literal", value: literal.value },
      type: literal.value === null ? "null" : literal.domain.type,
      size: 1,
    };
  }
  return namedColumn(node, scope) ?? groupKey(node, scope) ?? bindCall(node, bind) ?? refuseLeaf(node, scope);
}

function typeOfPost(expression: PostExpression, scope: PostScope): PostType {
  return expression.kind === "key" ? scope.keys[expression.key]!.domain.type : "number";
}

function namedColumn(node: Node, scope: PostScope): TypedPost | null {
  if (!("ColumnRef" in node)) return null;
  const names = fieldNames(node.ColumnRef.fields);
  if (names?.length !== 1) return null;
  const isColumn = resolveName(names[0]!, Object.keys(scope.table.columns)) !== null;
  if (isColumn && !scope.aliasFirst) return null;
  const expression = scope.alias(names[0]!);
  return expression && { expression, type: typeOfPost(expression, scope), size: 1 };
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
  "=": { operator: "=", takes: "same" },
  "<>": { operator: "<>", takes: "same" },
  "<": { operator: "<", takes: "same" },
  "<=": { operator: "<=", takes: "same" },
  ">": { operator: ">", takes: "same" },
  ">=": { operator: ">=", takes: "same" },
};

function call(
  operator: PostOperator,
  takes: Domain["type"] | "same" | "any",
  gives: Domain["type"],
  args: readonly TypedPost[],
  offset: number | undefined,
): TypedPost {
  const due = takes === "same" ? (args.find((arg) => arg.type !== "null")?.type ?? "null") : takes;
  for (const { type } of args)
    if (due !== "any" && due !== "null" && type !== "null" && type !== due)
      refuse(
        "query.type",
        `${operator} takes ${typeNames[due]} here, not ${typeNames[type]}`,
        type === "text" ? "write numbers without quotes" : "compare values of one type",
        offset,
      );
  const size = args.reduce((total, arg) => total + arg.size, 1);
  if (size > maxSize)
    refuse("query.too-large", "a condition on released rows grows too large", "split the question", offset);
  return {
    expression: { kind: "call", operator, args: args.map((arg) => arg.expression) },
    type: gives,
    size,
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
  if ("FuncCall" in node) {
    const name = functionName(node.FuncCall.funcname);
    const { args = [], location } = node.FuncCall;
    if (name === "abs" && args.length === 1) return call("abs", "number", "number", args.map(bind), location);
    if (name === "round" && (args.length === 1 || args.length === 2))
      return call("round", "number", "number", args.map(bind), location);
  }
  return null;
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
  if (expr.kind !== "AEXPR_OP") return null;
  if (!expr.lexpr) {
    const arg = bind(expr.rexpr!);
    return symbol === "-" ? call("negate", "number", "number", [arg], location) : null;
  }
  const known = symbols[symbol];
  if (!known) return null;
  const gives = known.takes === "same" ? "boolean" : "number";
  return call(known.operator, known.takes, gives, [bind(expr.lexpr), bind(expr.rexpr!)], location);
}

function refuseLeaf(node: Node, scope: PostScope): never {
  // Says what is wrong with it as an expression, if anything is.
  const written = writeSql(bindExpression(node, scope));
  const what = "ColumnRef" in node ? written : `${written} (${describeNode(node)})`;
  return refuse(
    "query.unsupported",
    `${what} is neither a group nor an aggregate`,
    `HAVING and ORDER BY work on released columns: group by ${written}, or put the condition into WHERE`,
    offsetOf(node),
  );
}
