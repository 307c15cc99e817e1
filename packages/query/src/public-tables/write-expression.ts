import { elementAt } from "@lethe/core/numeric";
import type { A_Const, A_Expr, BoolExpr, CaseExpr, Node, SubLink, TypeCast, TypeName } from "@pgsql/types";
import { expressionBuilder } from "../expressions/build/build-expression.ts";
import { booleanDomain } from "../expressions/operators/domains.ts";
import { readPattern } from "../expressions/patterns/read-pattern.ts";
import { canonical, writePattern } from "../expressions/patterns/write-pattern.ts";
import { refuse } from "../refusals/refuse.ts";
import { functionName, offsetOf, partOf } from "../resolve/names/nodes.ts";
import { fieldNames } from "../resolve/names/scope.ts";
import { knownOperators, knownTypes } from "./known-calls.ts";
import { writeCall } from "./write-call.ts";
import { unknownHere, type Writing } from "./writing.ts";

/** Writes an expression over public rows: every part enclosed, every name quoted, every text a literal. Errors: query.unsupported, query.unknown-function. */
export function writeExpression(node: Node, writing: Writing): string {
  const write = (part: Node | undefined): string => writeExpression(partOf(part), writing);
  const list = (parts: readonly Node[] | undefined): string => (parts ?? []).map(write).join(", ");
  if ("A_Const" in node) return writeConstant(node.A_Const, writing);
  if ("ColumnRef" in node) return writeColumn(node.ColumnRef.fields ?? [], writing, node.ColumnRef.location);
  if ("A_Expr" in node) return writeOperation(node.A_Expr, writing);
  if ("BoolExpr" in node) return writeLogic(node.BoolExpr, write);
  if ("NullTest" in node) {
    const { arg, nulltesttype } = node.NullTest;
    return `(${write(arg)} IS ${nulltesttype === "IS_NOT_NULL" ? "NOT NULL" : "NULL"})`;
  }
  if ("BooleanTest" in node) {
    const { arg, booltesttype = "IS_TRUE" } = node.BooleanTest;
    return `(${write(arg)} ${booltesttype.replaceAll("_", " ")})`;
  }
  if ("CaseExpr" in node) return writeCase(node.CaseExpr, write);
  if ("CoalesceExpr" in node) return `COALESCE(${list(node.CoalesceExpr.args)})`;
  if ("MinMaxExpr" in node)
    return `${node.MinMaxExpr.op === "IS_LEAST" ? "LEAST" : "GREATEST"}(${list(node.MinMaxExpr.args)})`;
  if ("TypeCast" in node) return writeCast(node.TypeCast, writing);
  if ("FuncCall" in node) return writeCall(node.FuncCall, writing);
  if ("SubLink" in node) return writeSubquery(node.SubLink, writing);
  if ("RowExpr" in node) return `(${list(node.RowExpr.args)})`;
  if ("A_ArrayExpr" in node) return `ARRAY[${list(node.A_ArrayExpr.elements)}]`;
  if ("GroupingFunc" in node) return `GROUPING(${list(node.GroupingFunc.args)})`;
  if ("SQLValueFunction" in node && node.SQLValueFunction.op === "SVFOP_CURRENT_DATE") return "CURRENT_DATE";
  return unknownHere("this expression", offsetOf(node), "write columns, operators, CASE and functions");
}

/** Writes a constant as it is read: numbers by their digits, which the grammar has checked. */
function writeConstant(
  { isnull, ival, fval, sval, boolval, location }: A_Const,
  { dialect }: Writing,
): string {
  if (isnull) return "NULL";
  if (boolval) return boolval.boolval ? "TRUE" : "FALSE";
  if (sval) return dialect.text(sval.sval ?? "");
  const digits = ival ? String(ival.ival ?? 0) : (fval?.fval ?? "");
  if (!/^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(digits)) return unknownHere("this constant", location);
  return digits.startsWith("-") ? `(${digits})` : digits;
}

/** Writes x, t.x, * or t.*. */
function writeColumn(fields: readonly Node[], { dialect, spelled }: Writing, location?: number): string {
  const last = fields.at(-1);
  const isStar = last !== undefined && "A_Star" in last;
  const names = fieldNames(isStar ? fields.slice(0, -1) : [...fields]) ?? [];
  if (fields.length === 0 || fields.length > 2 || names.length + (isStar ? 1 : 0) < fields.length)
    return unknownHere("this name", location, "write a column, or table.column");
  const written = names.map((name, at) =>
    dialect.identifier(at === fields.length - 1 ? spelled(name) : name),
  );
  return [...written, ...(isStar ? ["*"] : [])].join(".");
}

function writeLogic({ boolop, args = [] }: BoolExpr, write: (node: Node) => string): string {
  if (boolop === "NOT_EXPR") return `(NOT ${write(elementAt(args, 0))})`;
  return `(${args.map(write).join(boolop === "OR_EXPR" ? " OR " : " AND ")})`;
}

function writeCase({ arg, args = [], defresult }: CaseExpr, write: (node: Node) => string): string {
  const branches = args.flatMap((branch) =>
    "CaseWhen" in branch
      ? [`WHEN ${write(partOf(branch.CaseWhen.expr))} THEN ${write(partOf(branch.CaseWhen.result))}`]
      : [],
  );
  const of = arg ? `${write(arg)} ` : "";
  return `(CASE ${of}${branches.join(" ")}${defresult ? ` ELSE ${write(defresult)}` : ""} END)`;
}

function itemsOf(node: Node | undefined): readonly Node[] {
  return node && "List" in node ? (node.List.items ?? []) : [];
}

const betweens: Readonly<Record<string, string>> = {
  AEXPR_BETWEEN: "BETWEEN",
  AEXPR_NOT_BETWEEN: "NOT BETWEEN",
  AEXPR_BETWEEN_SYM: "BETWEEN SYMMETRIC",
  AEXPR_NOT_BETWEEN_SYM: "NOT BETWEEN SYMMETRIC",
};

function writeOperation(
  { kind = "AEXPR_OP", name, lexpr, rexpr, location }: A_Expr,
  writing: Writing,
): string {
  const write = (part: Node | undefined): string => writeExpression(partOf(part), writing);
  const operator = (name ?? []).length === 1 ? functionName(name) : "";
  const isNot = operator.startsWith("!") || operator === "<>";
  const between = betweens[kind];
  if (between !== undefined) {
    const [low, high] = itemsOf(rexpr);
    return `(${write(lexpr)} ${between} ${write(low)} AND ${write(high)})`;
  }
  switch (kind) {
    case "AEXPR_OP":
      return writeOperator(operator, lexpr, rexpr, writing, location);
    case "AEXPR_IN":
      return `(${write(lexpr)} ${isNot ? "NOT IN" : "IN"} (${itemsOf(rexpr).map(write).join(", ")}))`;
    case "AEXPR_LIKE":
    case "AEXPR_ILIKE": {
      const word = kind === "AEXPR_LIKE" ? "LIKE" : "ILIKE";
      return writeAlike(`${isNot ? "NOT " : ""}${word}`, lexpr, rexpr, writing);
    }
    case "AEXPR_DISTINCT":
    case "AEXPR_NOT_DISTINCT":
      return `(${write(lexpr)} IS ${kind === "AEXPR_DISTINCT" ? "" : "NOT "}DISTINCT FROM ${write(rexpr)})`;
    case "AEXPR_NULLIF":
      return `NULLIF(${write(lexpr)}, ${write(rexpr)})`;
    case "AEXPR_OP_ANY":
    case "AEXPR_OP_ALL": {
      if (!knownOperators.has(operator)) return unknownHere(`the operator ${operator}`, location);
      return `(${write(lexpr)} ${operator} ${kind === "AEXPR_OP_ANY" ? "ANY" : "ALL"}(${write(rexpr)}))`;
    }
    default:
      return unknownHere("this operator", location);
  }
}

function writeOperator(
  operator: string,
  lexpr: Node | undefined,
  rexpr: Node | undefined,
  writing: Writing,
  location: number | undefined,
): string {
  const isTest = /^!?~\*?$/.test(operator);
  if (isTest && lexpr) {
    const found = writeMatch(writeExpression(lexpr, writing), partOf(rexpr), operator.endsWith("*"), writing);
    return operator.startsWith("!") ? `(NOT ${found})` : `(${found})`;
  }
  const right = writeExpression(partOf(rexpr), writing);
  if (!knownOperators.has(operator)) return unknownHere(`the operator ${operator}`, location);
  if (!lexpr) return `(${operator} ${right})`;
  const written: Readonly<Record<string, string>> = { "~~": "LIKE", "!~~": "NOT LIKE" };
  return `(${writeExpression(lexpr, writing)} ${written[operator] ?? operator} ${right})`;
}

/** A part of a text matches a constant pattern, of those whose time is linear in the text. Errors: query.unsupported. */
function writeMatch(text: string, node: Node, anyCase: boolean, { dialect }: Writing): string {
  const written = "A_Const" in node ? node.A_Const.sval?.sval : undefined;
  if (written === undefined)
    return unknownHere("a pattern that is not constant", offsetOf(node), "write '^a.*'");
  const pattern = readPattern(written, { anyCase, isTest: true });
  if ("fault" in pattern) return refuse("query.unsupported", pattern.fault, pattern.fix, offsetOf(node));
  const build = expressionBuilder();
  const args = [build.literal(""), build.literal(writePattern(pattern, canonical))] as const;
  return dialect.operators.matches([text, ""], {
    kind: "call",
    operator: "matches",
    args,
    domain: booleanDomain(true),
  });
}

/** LIKE, whose ESCAPE the grammar reads as a function. */
function writeAlike(
  word: string,
  lexpr: Node | undefined,
  rexpr: Node | undefined,
  writing: Writing,
): string {
  const call = rexpr && "FuncCall" in rexpr ? rexpr.FuncCall : null;
  const [pattern, escaped] =
    call && functionName(call.funcname) === "like_escape" ? (call.args ?? []) : [rexpr, undefined];
  const [text, alike] = [lexpr, pattern].map((part) => writeExpression(partOf(part), writing));
  const behind = escaped ? ` ESCAPE ${writeExpression(escaped, writing)}` : "";
  return `(${text} ${word} ${alike}${behind})`;
}

function writeCast({ arg, typeName, location }: TypeCast, writing: Writing): string {
  const inner = partOf(arg);
  const { type, unit } = typeOf(partOf(typeName), location);
  if (unit !== null && "A_Const" in inner)
    return `CAST(${writing.dialect.text(`${inner.A_Const.sval?.sval ?? ""} ${unit}`)} AS INTERVAL)`;
  return writing.dialect.publicRows.cast(writeExpression(inner, writing), type);
}

/** The grammar's bits of the fields of INTERVAL '3' MONTH. */
const intervalUnits: Readonly<Record<number, string>> = {
  2: "month",
  4: "year",
  8: "day",
  1024: "hour",
  2048: "minute",
  4096: "second",
};

function typeOf(
  { names, typmods = [], arrayBounds = [] }: TypeName,
  location: number | undefined,
): { readonly type: string; readonly unit: string | null } {
  const name = functionName(names);
  const known = Object.hasOwn(knownTypes, name) ? knownTypes[name] : undefined;
  const numbers = typmods.map((node) => ("A_Const" in node ? (node.A_Const.ival?.ival ?? -1) : -1));
  if (known === undefined || arrayBounds.length > 0 || numbers.some((number) => number < 0))
    return refuse(
      "query.unsupported",
      `the type ${name} is not known in a question of public tables`,
      "write integer, numeric, double precision, text, boolean, date or timestamp",
      location,
    );
  if (name !== "interval") return { type: sized(known, numbers), unit: null };
  const [only] = numbers;
  return { type: known, unit: only === undefined ? null : (intervalUnits[only] ?? null) };
}

function sized(type: string, numbers: readonly number[]): string {
  const hasSize = (type === "NUMERIC" || type === "VARCHAR") && numbers.length > 0;
  return hasSize ? `${type}(${numbers.join(", ")})` : type;
}

function writeSubquery(
  { subLinkType, testexpr, operName, subselect, location }: SubLink,
  writing: Writing,
): string {
  const select = subselect && "SelectStmt" in subselect ? subselect.SelectStmt : null;
  if (!select) return unknownHere("this subquery", location);
  const rows = `(${writing.select(select, writing)})`;
  switch (subLinkType) {
    case "EXPR_SUBLINK":
      return rows;
    case "EXISTS_SUBLINK":
      return `EXISTS ${rows}`;
    case "ANY_SUBLINK":
    case "ALL_SUBLINK": {
      const test = writeExpression(partOf(testexpr), writing);
      if (!operName) return `(${test} IN ${rows})`;
      const operator = functionName(operName);
      if (!knownOperators.has(operator)) return unknownHere(`the operator ${operator}`, location);
      return `(${test} ${operator} ${subLinkType === "ANY_SUBLINK" ? "ANY" : "ALL"} ${rows})`;
    }
    default:
      return unknownHere("this subquery", location);
  }
}
