import { elementAt } from "@lethe/core/numeric";
import type { A_Expr, CaseExpr, FuncCall, Node, TypeCast } from "@pgsql/types";
import type { Domain } from "../../expressions/domain.ts";
import type { PostOperator } from "../../expressions/operator.ts";
import { refuse } from "../../refusals/refuse.ts";
import { castOperators, typeSizes } from "../expressions/resolve-cast.ts";
import { functionName, partOf } from "../names/nodes.ts";
import type { PostExpression } from "../names/resolved-query.ts";
import { demandTypes, postCall, sharedType, sizeOf, type TypedPost } from "./post-call.ts";
import { asText, joined, likeness, textFunction } from "./post-texts.ts";

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

type Resolve = (node: Node) => TypedPost;

/** Operators and functions of released columns; null of what is none. Errors: query.type, and those of its parts. */
export function resolvePostCall(node: Node, resolve: Resolve): TypedPost | null {
  if ("BoolExpr" in node) {
    const operator = { AND_EXPR: "and", OR_EXPR: "or", NOT_EXPR: "not" } as const;
    const { boolop, args, location } = node.BoolExpr;
    return postCall(operator[partOf(boolop)], "boolean", "boolean", (args ?? []).map(resolve), location);
  }
  if ("NullTest" in node) {
    const { nulltesttype, arg, location } = node.NullTest;
    return postCall(
      nulltesttype === "IS_NULL" ? "is-null" : "is-not-null",
      "any",
      "boolean",
      [resolve(partOf(arg))],
      location,
    );
  }
  if ("A_Expr" in node) return resolveOperator(node.A_Expr, resolve);
  if ("CaseExpr" in node) return resolveCase(node.CaseExpr, resolve);
  if ("TypeCast" in node) return resolveCast(node.TypeCast, resolve);
  if ("CoalesceExpr" in node) {
    const { args = [], location } = node.CoalesceExpr;
    return postCall("coalesce", "same", "same", args.map(resolve), location);
  }
  if ("MinMaxExpr" in node) {
    const { op, args = [], location } = node.MinMaxExpr;
    return postCall(
      op === "IS_LEAST" ? "least" : "greatest",
      "number",
      "number",
      args.map(resolve),
      location,
    );
  }
  if ("FuncCall" in node) return resolveFunction(node.FuncCall, resolve);
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

function resolveFunction({ funcname, args = [], location }: FuncCall, resolve: Resolve): TypedPost | null {
  const name = functionName(funcname);
  if (name === "ifnull" && args.length === 2)
    return postCall("coalesce", "same", "same", args.map(resolve), location);
  const known = functions.get(name);
  if (!known) return textFunction(name, () => args.map(resolve), location);
  if (args.length < known.min || args.length > known.max) return null;
  const resolved = args.map(resolve);
  demandConstant(known.operator, resolved, location);
  return postCall(known.operator, "number", "number", resolved, location);
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
  const inner = constantOf(elementAt(expression.args, 0));
  return inner === null ? null : -inner;
}

/** CASE x WHEN v … compares x with each v. */
function resolveCase(expr: CaseExpr, resolve: Resolve): TypedPost {
  const { location } = expr;
  const branches = (expr.args ?? []).map((branch) => {
    const { expr: tested, result } = partOf("CaseWhen" in branch ? branch.CaseWhen : undefined);
    const condition = partOf(tested);
    const when = expr.arg
      ? postCall("=", "same", "boolean", [resolve(expr.arg), resolve(condition)], location)
      : resolve(condition);
    demandTypes("CASE WHEN", "boolean", [when], location);
    return { when, result: resolve(partOf(result)) };
  });
  const nothing: TypedPost = { expression: { kind: "literal", value: null }, type: "null", size: 1 };
  const otherwise = expr.defresult ? resolve(expr.defresult) : nothing;
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
function resolveCast(cast: TypeCast, resolve: Resolve): TypedPost | null {
  const operator = castOperators[functionName(cast.typeName?.names)];
  const { arrayBounds, setof, location } = cast.typeName ?? {};
  if (arrayBounds || setof) return null;
  if (operator === "to-text") return asText(resolve(partOf(cast.arg)), location);
  if (operator !== "to-number" && operator !== "to-integer") return null;
  const arg = resolve(partOf(cast.arg));
  const [size, digits = 0] = typeSizes(cast.typeName);
  if (size !== undefined) {
    const places: TypedPost = { expression: { kind: "literal", value: digits }, type: "number", size: 1 };
    return postCall("round", "number", "number", [arg, places], location);
  }
  if (operator === "to-integer") return postCall("to-integer", "number", "number", [arg], location);
  demandTypes("a cast", "number", [arg], location);
  return { ...arg, type: "number" };
}

function resolveOperator(expr: A_Expr, resolve: Resolve): TypedPost | null {
  const { location } = expr;
  const symbol = functionName(expr.name);
  const items = expr.rexpr && "List" in expr.rexpr ? (expr.rexpr.List.items ?? []) : [];
  const negated = (resolved: TypedPost, when: boolean): TypedPost =>
    when ? postCall("not", "boolean", "boolean", [resolved], location) : resolved;
  if (expr.kind === "AEXPR_IN")
    return negated(
      postCall("in", "same", "boolean", [partOf(expr.lexpr), ...items].map(resolve), location),
      symbol === "<>",
    );
  if (expr.kind === "AEXPR_BETWEEN" || expr.kind === "AEXPR_NOT_BETWEEN") {
    const x = resolve(partOf(expr.lexpr));
    const bounds = items.map(resolve);
    const above = postCall(">=", "same", "boolean", [x, elementAt(bounds, 0)], location);
    const below = postCall("<=", "same", "boolean", [x, elementAt(bounds, 1)], location);
    return negated(
      postCall("and", "boolean", "boolean", [above, below], location),
      expr.kind === "AEXPR_NOT_BETWEEN",
    );
  }
  if (expr.kind === "AEXPR_NULLIF")
    return postCall(
      "nullif",
      "same",
      "same",
      [expr.lexpr, expr.rexpr].map((side) => resolve(partOf(side))),
      location,
    );
  if (expr.kind === "AEXPR_LIKE" || expr.kind === "AEXPR_ILIKE") {
    // The grammar reads ESCAPE as a function.
    if (expr.rexpr && "FuncCall" in expr.rexpr) return null;
    const [text, pattern] = [resolve(partOf(expr.lexpr)), resolve(partOf(expr.rexpr))];
    const found = likeness(text, pattern, expr.kind === "AEXPR_ILIKE", location);
    return found && negated(found, symbol.startsWith("!"));
  }
  if (expr.kind !== "AEXPR_OP") return null;
  if (symbol === "||" && expr.lexpr)
    return joined([resolve(expr.lexpr), resolve(partOf(expr.rexpr))], location);
  if (!expr.lexpr) {
    const arg = resolve(partOf(expr.rexpr));
    if (symbol === "+") {
      demandTypes("+", "number", [arg], location);
      return arg;
    }
    return symbol === "-" ? postCall("negate", "number", "number", [arg], location) : null;
  }
  const known = symbols[symbol];
  if (!known) return null;
  const gives = known.takes === "same" ? "boolean" : "number";
  const sides = [resolve(expr.lexpr), resolve(partOf(expr.rexpr))];
  demandConstant(known.operator, sides, location);
  return postCall(known.operator, known.takes, gives, sides, location);
}
