import { elementAt } from "@lethe/core/numeric";
import type { A_Expr, Node, RowExpr } from "@pgsql/types";
import { demandType, type ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { type Operator, symbols } from "../../expressions/operator.ts";
import { refuse } from "../../refusals/refuse.ts";
import { functionName, part } from "../names/nodes.ts";
import type { Scope } from "../names/scope.ts";
import { comparedAges } from "./ages.ts";
import { clockSeconds, isClockTime } from "./clock-times.ts";
import { patternTests, resolvePatternTest, similarTo } from "./pattern-tests.ts";
import { resolvePattern } from "./resolve-pattern.ts";
import { comparedSpans, resolveTimeArithmetic } from "./resolve-time.ts";
import { asText, buildPower } from "./row-functions.ts";

/** Resolves a part, one level deeper. */
export type Resolve = (node: Node) => Expression;

const comparisons: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);

/** An operator between or before expressions. Errors: query.unsupported, and those of its parts. */
export function resolveOperator(expr: A_Expr, scope: Scope, resolveSide: Resolve): Expression {
  const { build } = scope;
  const { location } = expr;
  const resolve: Resolve = comparesClockTimes(expr)
    ? (node) => clockSeconds(node, build, resolveSide, location)
    : resolveSide;
  const call = (operator: Operator, ...args: Expression[]): Expression =>
    build.call(operator, args, location);
  const symbol = functionName(expr.name);
  const negated = (expression: Expression, when: boolean): Expression =>
    when ? call("not", expression) : expression;
  const items = (): Node[] => (expr.rexpr && "List" in expr.rexpr ? (expr.rexpr.List.items ?? []) : []);
  const left = (): Expression => resolve(part(expr.lexpr));
  const right = (): Expression => resolve(part(expr.rexpr));
  const range = (): [Expression, Expression, Expression] => {
    const [lo, hi] = items();
    return [left(), resolve(part(lo)), resolve(part(hi))];
  };
  const between = (x: Expression, lo: Expression, hi: Expression): Expression =>
    call("and", call(">=", x, lo), call("<=", x, hi));

  switch (expr.kind) {
    case "AEXPR_OP":
      return resolveSymbol(expr, symbol, scope, resolve);
    case "AEXPR_DISTINCT":
      return call("is-distinct", left(), right());
    case "AEXPR_NOT_DISTINCT":
      return call("is-not-distinct", left(), right());
    case "AEXPR_NULLIF":
      return call("nullif", left(), right());
    case "AEXPR_IN":
      return negated(
        expr.lexpr && "RowExpr" in expr.lexpr
          ? rowAmong(expr.lexpr.RowExpr, items(), resolve, build)
          : call("in", left(), ...items().map(resolve)),
        symbol === "<>",
      );
    case "AEXPR_OP_ANY":
    case "AEXPR_OP_ALL": {
      // x = ANY (…) is x IN (…), and x <> ALL (…) is x NOT IN (…).
      const isIn = expr.kind === "AEXPR_OP_ANY" ? symbol === "=" : false;
      const isNotIn = expr.kind === "AEXPR_OP_ALL" ? symbol === "<>" : false;
      const listed = expr.rexpr && "A_ArrayExpr" in expr.rexpr ? (expr.rexpr.A_ArrayExpr.elements ?? []) : [];
      if ((isIn || isNotIn) && listed.length > 0)
        return negated(call("in", left(), ...listed.map(resolve)), isNotIn);
      if (listed.length > 0 && (comparisons.has(symbol) || patternTests.has(symbol))) {
        const each = listed.map((element) => {
          const tested = resolvePatternTest(symbol, left(), element, scope, resolve, location);
          return tested ?? call(symbol as "<", left(), resolve(element));
        });
        if (each.length === 1) return elementAt(each, 0);
        return call(expr.kind === "AEXPR_OP_ANY" ? "or" : "and", ...each);
      }
      return refuse(
        "query.unsupported",
        "ANY and ALL are known over a written list, as = ANY (ARRAY[1, 2]) and LIKE ANY (ARRAY['a%', 'b%'])",
        "write x IN (1, 2, 3), or x LIKE 'a%' OR x LIKE 'b%'",
        location,
      );
    }
    case "AEXPR_LIKE":
    case "AEXPR_ILIKE":
      return negated(
        resolvePattern(left(), part(expr.rexpr), expr.kind === "AEXPR_ILIKE", build, location),
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
      return negated(similarTo(left(), part(expr.rexpr), build, location), symbol.startsWith("!"));
    default:
      return refuse(
        "query.unsupported",
        "this operator is not known",
        "write it with =, <, IN or LIKE",
        location,
      );
  }
}

/** Whether an operator compares times of day. */
function comparesClockTimes({ kind, name, lexpr, rexpr }: A_Expr): boolean {
  const listed = rexpr && "List" in rexpr ? (rexpr.List.items ?? []) : [rexpr];
  return (kind !== "AEXPR_OP" || comparisons.has(functionName(name))) && [lexpr, ...listed].some(isClockTime);
}

/** (a, b) IN ((1, 2), (3, 4)): a = 1 AND b = 2 OR a = 3 AND b = 4. */
function rowAmong(
  { args = [], location }: RowExpr,
  rows: readonly Node[],
  resolve: Resolve,
  build: ExpressionBuilder,
): Expression {
  const left = args.map(resolve);
  const same = rows.map((row) => {
    const values = "RowExpr" in row ? (row.RowExpr.args ?? []) : [];
    if (values.length !== left.length)
      refuse(
        "query.type",
        `a row of ${left.length} is compared with one of ${values.length}`,
        "write (a, b) IN ((1, 2), (3, 4))",
        location,
      );
    const equal = left.map((side, at) => build.call("=", [side, resolve(elementAt(values, at))], location));
    return equal.length === 1 ? elementAt(equal, 0) : build.call("and", equal, location);
  });
  return same.length === 1 ? elementAt(same, 0) : build.call("or", same, location);
}

function resolveSymbol(expr: A_Expr, symbol: string, scope: Scope, resolve: Resolve): Expression {
  const { build } = scope;
  const { location } = expr;
  if (!expr.lexpr) {
    const right = resolve(part(expr.rexpr));
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
  const ofTimes =
    resolveTimeArithmetic(expr, symbol, build, resolve) ??
    comparedSpans(expr, symbol, build, resolve) ??
    comparedAges(expr, symbol, build, resolve);
  if (ofTimes) return ofTimes;
  const left = resolve(expr.lexpr);
  const tested = resolvePatternTest(symbol, left, part(expr.rexpr), scope, resolve, location);
  if (tested) return tested;
  const operator = symbols.find((known) => known === symbol);
  const right = resolve(part(expr.rexpr));
  if (operator) return build.call(operator, [left, right], location);
  if (symbol === "^") return buildPower([left, right], build, location);
  if (symbol === "||") {
    const texts = [left, right].map((side) => asText(side, build, location));
    return build.call("concat", texts, location);
  }
  return refuse(
    "query.unsupported",
    `the operator ${symbol} is not known`,
    "write it with + - * / % ^ || = <> < <= > >= ~",
    location,
  );
}
