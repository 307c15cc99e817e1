import { elementAt } from "@lethe/core/numeric";
import type { Alias, FuncCall, Node, RangeFunction, SelectStmt } from "@pgsql/types";
import type { ExpressionBuilder } from "../../../expressions/build/build-expression.ts";
import { addMonths } from "../../../expressions/calendar/days.ts";
import { isWithin, microsecondsPerDay, type TimeType } from "../../../expressions/calendar/times.ts";
import type { Domain } from "../../../expressions/domain.ts";
import type { Expression } from "../../../expressions/expression.ts";
import type { Interval } from "../../../expressions/interval-text.ts";
import { finiteDomain } from "../../../expressions/operators/domains.ts";
import { refuse } from "../../../refusals/refuse.ts";
import { mostJoinedRows } from "../../../relations/joined-rows/joined-rows.ts";
import type { ListRelation } from "../../../relations/relation.ts";
import { resolveExpression } from "../../expressions/resolve-expression.ts";
import { intervalOf } from "../../expressions/resolve-time.ts";
import { functionName, offsetOf } from "../../names/nodes.ts";
import type { Scope, ScopeColumn } from "../../names/scope.ts";
import { freeName, policyOfDomain } from "./made-column.ts";

type Cell = string | number | boolean;
type Type = Domain["type"];

/** A constant with its type. */
interface Constant {
  readonly type: Type;
  readonly value: Cell;
}

/** A list that a question writes out: its rows, and the names that the list itself gives its columns. */
interface WrittenList {
  readonly rows: readonly (readonly Constant[])[];
  readonly names: readonly string[];
}

/**
 * Resolves a function in FROM whose rows the question itself determines: UNNEST of a list, generate_series, and BigQuery's GENERATE_ARRAY and GENERATE_DATE_ARRAY in UNNEST.
 * Errors: query.unsupported for other functions; query.type, query.too-large.
 */
export function resolveFunction(node: RangeFunction, source: string, build: ExpressionBuilder): Scope {
  const offset = offsetOf({ RangeFunction: node } as Node);
  const [only, ...more] = node.functions ?? [];
  const items = only && "List" in only ? (only.List.items ?? []) : [];
  const call = items[0] && "FuncCall" in items[0] ? items[0].FuncCall : null;
  if (call === null || more.length > 0 || node.ordinality || node.is_rowsfrom)
    refuseFunction("this form of FROM", offset);
  const values = valuesOf(call, build);
  const { alias } = node;
  const name = alias?.aliasname ?? functionName(call.funcname);
  return listScope(
    { rows: values.map((value) => [value]), names: [name] },
    { ...alias, aliasname: name },
    source,
    build,
    call.location,
  );
}

/** Resolves VALUES. Errors: query.type where a column has several types, query.too-large. */
export function resolveValues(
  select: SelectStmt,
  alias: Alias,
  source: string,
  build: ExpressionBuilder,
  offset: number | undefined,
): Scope {
  const rows = (select.valuesLists ?? []).map((node) =>
    ("List" in node ? (node.List.items ?? []) : []).map((item) => constantOf(item, build)),
  );
  const names = elementAt(rows, 0).map((_, at) => `column${at + 1}`);
  return listScope({ rows, names }, alias, source, build, offset);
}

function listScope(
  { rows, names }: WrittenList,
  alias: Alias,
  source: string,
  build: ExpressionBuilder,
  offset: number | undefined,
): Scope {
  const stated = (alias.colnames ?? []).map((name) => ("String" in name ? (name.String.sval ?? "") : ""));
  if (rows.length === 0 || rows.length > mostJoinedRows)
    refuse(
      "query.too-large",
      `a list that is written out has 1 to ${mostJoinedRows} rows`,
      "write fewer rows, or a longer step",
      offset,
    );
  if (stated.length > names.length || rows.some((row) => row.length !== names.length))
    refuse("query.type", "the rows of a list have as many values as it has columns", "write as many", offset);
  const columns: Record<string, ReturnType<typeof policyOfDomain>> = {};
  const shown = names.map((own, at): ScopeColumn => {
    const name = stated[at] ?? own;
    const cells = rows.map((row) => elementAt(row, at));
    const { type } = elementAt(cells, 0);
    const isOne = cells.every((cell) => cell.type === type);
    const domain = finiteDomain(type, isOne ? cells.map(({ value }) => value) : []);
    if (!isOne || (domain.type === "number" && !domain.integer))
      refuse(
        "query.type",
        `the values of ${name} are not all texts, whole numbers, dates, timestamps or truth values`,
        "write values of one type",
        offset,
      );
    const kept = freeName(name, columns);
    columns[kept] = policyOfDomain(domain);
    return {
      name,
      key: null,
      isUnit: false,
      namesUnit: false,
      expression: () => ({ kind: "column", source, name: kept, domain }),
    };
  });
  const from: ListRelation = {
    kind: "list",
    source,
    columns,
    names: Object.keys(columns),
    rows: rows.map((row) => row.map(({ value }) => value)),
  };
  return {
    from,
    sources: [{ name: alias.aliasname ?? source, columns: shown }],
    merged: [],
    build,
  };
}

function valuesOf(call: FuncCall, build: ExpressionBuilder): readonly Constant[] {
  const { args = [], location } = call;
  const name = functionName(call.funcname);
  if (name === "generate_series" || name === "generate_array" || name === "generate_date_array")
    return series(args, name === "generate_series", build, location);
  if (name !== "unnest" || args.length !== 1) refuseFunction(name.toUpperCase(), location);
  const [list] = args;
  if (list && "FuncCall" in list) return valuesOf(list.FuncCall, build);
  const items =
    list && "A_ArrayExpr" in list
      ? (list.A_ArrayExpr.elements ?? [])
      : list && "RowExpr" in list
        ? (list.RowExpr.args ?? [])
        : [list];
  return items.map((item) => constantOf(item, build));
}

function refuseFunction(what: string, offset: number | undefined): never {
  return refuse(
    "query.unsupported",
    `${what} is not answered in FROM`,
    "ask tables of the policy, VALUES, UNNEST(ARRAY['a', 'b']) or generate_series(1, 10)",
    offset,
  );
}

/** The numbers or times from the first to the last one, both included. Of dates, PostgreSQL's generate_series makes timestamps. */
function series(
  args: readonly Node[],
  makesTimestamps: boolean,
  build: ExpressionBuilder,
  offset: number | undefined,
): readonly Constant[] {
  const [first, last, step] = args;
  if (args.length < 2 || args.length > 3)
    refuse(
      "query.type",
      "a series has a first and a last value, and a step",
      "write generate_series(1, 10)",
      offset,
    );
  const [from, to] = [constantOf(first, build), constantOf(last, build)];
  if (from.type !== to.type || typeof from.value !== "number" || typeof to.value !== "number")
    refuse(
      "query.type",
      "a series goes from a whole number to another, or from a time to another of its type",
      "write DATE '2024-01-01' before dates",
      offset,
    );
  const interval = intervalOf(step);
  const isDate = from.type === "date" && makesTimestamps;
  const type = isDate ? "timestamp" : from.type;
  const scale = isDate ? microsecondsPerDay : 1;
  const [start, end] = [from.value * scale, to.value * scale];
  const stepped = stepOf(type, interval, step === undefined || interval ? null : constantOf(step, build));
  const values: number[] = [];
  let value = start;
  const rises = stepped(start) > start;
  if (stepped(start) === start)
    refuse(
      "query.type",
      "a series has a step other than 0",
      "write a step, such as INTERVAL '1 day'",
      offset,
    );
  while (rises ? value <= end : value >= end) {
    if (values.length > mostJoinedRows) break;
    values.push(value);
    value = stepped(value);
  }
  return values.map((each) => ({ type, value: each }));
}

function stepOf(type: Type, interval: Interval | null, number: Constant | null): (value: number) => number {
  if (type !== "date" && type !== "timestamp") {
    const by = number === null && interval === null ? 1 : number?.value;
    if (typeof by !== "number") refuse("query.type", "the step is no number", "write a whole number");
    return (value) => value + by;
  }
  const { months, days, microseconds } = interval ?? { months: 0, days: 1, microseconds: 0 };
  if (number !== null || (type === "date" && microseconds !== 0))
    refuse("query.type", "the step between times is an interval", "write INTERVAL '1 day'");
  return (value) => moved(type, value, months, days, microseconds);
}

function moved(type: TimeType, value: number, months: number, days: number, microseconds: number): number {
  const perDay = type === "date" ? 1 : microsecondsPerDay;
  const day = Math.floor(value / perDay);
  const next = (addMonths(day, months) + days) * perDay + (value - day * perDay) + microseconds;
  // What lies beyond the calendar ends the series.
  return isWithin(type, next) ? next : value < next ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}

/** Returns a constant. NULL has no type, and no group: it is refused. */
function constantOf(node: Node | undefined, build: ExpressionBuilder): Constant {
  const scope: Scope = { from: nothing, sources: [], merged: [], build };
  const expression = node ? resolveExpression(node, scope) : build.literal(null);
  const value = constantValue(expression);
  if (value === null)
    refuse(
      "query.type",
      "a list that is written out holds constants, and no NULL",
      "write texts, whole numbers, dates, timestamps or truth values",
      node && offsetOf(node),
    );
  return { type: expression.domain.type, value };
}

function constantValue(expression: Expression): Cell | null {
  const { domain } = expression;
  if (domain.type === "boolean")
    return expression.kind === "literal" ? (expression.value as boolean | null) : null;
  if (domain.nullable || domain.values?.length !== 1) return null;
  return elementAt<string | number>(domain.values, 0);
}

/** Constants read no rows. */
const nothing: ListRelation = { kind: "list", source: "", columns: {}, names: [], rows: [[]] };
