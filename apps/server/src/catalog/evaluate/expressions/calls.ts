import type { FuncCall, Node, SortBy, WindowDef } from "@pgsql/types";
import { aggregateFunctions } from "../../functions/aggregate-functions.ts";
import { scalarFunction } from "../../functions/functions.ts";
import { setFunctions } from "../../functions/set-functions.ts";
import { windowFunction } from "../../functions/window-functions.ts";
import { refused, unsupported } from "../../refuse.ts";
import { coerce, isPolymorphic } from "../../resolve/coerce.ts";
import { type Chosen, functionFor } from "../../resolve/function-choice.ts";
import { oids } from "../../types/oids.ts";
import { RowValue, type Tuple, type Value } from "../../types/values.ts";
import type { Compiler } from "../compiler.ts";
import type { Expr } from "../expr.ts";
import type { Frame } from "../frame.ts";
import { stringsOf } from "../nodes.ts";
import type { Scope, SortKey } from "../scope.ts";
import { expandStar } from "../targets.ts";
import { wholeRow } from "./columns.ts";

/** A function with its values, that can be called. */
export interface Called extends Chosen {
  readonly values: readonly Expr[];
  readonly name: string;
}

/** Finds the function of a call, and reads its values. Errors: query.unknown-function, query.type. */
export function calledFunction(call: FuncCall, compiler: Compiler, scope: Scope): Called {
  const { place, parameters } = compiler;
  const path = stringsOf(call.funcname);
  const nodes = call.args ?? [];
  const names = nodes.map((node) => ("NamedArgExpr" in node ? (node.NamedArgExpr.name ?? null) : null));
  const read = nodes.map((node): Expr => {
    const inner = "NamedArgExpr" in node ? (node.NamedArgExpr.arg as Node) : node;
    if (expandStar(inner, scope))
      return wholeRow(stringsOf("ColumnRef" in inner ? inner.ColumnRef.fields : []), scope);
    return compiler.expression(inner, scope);
  });
  const spread = call.func_variadic ? spreadArguments(read, path, compiler) : null;
  const given = read.map(({ type }) => type);
  const chosen = spread ?? functionFor(path, given, names, place.catalog, call.location);
  const values = read.map((expr, at) => {
    const type = chosen.types[at] ?? oids.any;
    return isPolymorphic(type) && expr.type !== oids.unknown
      ? expr
      : coerce(expr, type, "i", place, parameters);
  });
  return { ...chosen, values, name: path.at(-1) ?? "" };
}

/** VARIADIC array: the function takes the array as it is. */
function spreadArguments(
  read: readonly Expr[],
  path: readonly string[],
  { place: { catalog } }: Compiler,
): Chosen {
  const signature = (catalog.functions.get(path.at(-1) ?? "") ?? []).find(({ variadic }) => variadic !== 0);
  if (!signature) return unsupported(`VARIADIC values of ${path.join(".")}`);
  return { signature, types: read.map(({ type }) => type), result: signature.returns };
}

/** Reads the call of a function, an aggregate or a window function. Errors: those of {@link calledFunction}; query.unsupported for what is not known here. */
export function callExpression(call: FuncCall, compiler: Compiler, scope: Scope): Expr {
  const path = stringsOf(call.funcname);
  const name = path.at(-1) ?? "";
  if (call.over) return windowExpression(call, compiler, scope);
  const kinds = compiler.place.catalog.functions.get(name) ?? [];
  if (kinds.some(({ kind }) => kind === "a") || call.agg_star)
    return aggregateExpression(call, compiler, scope);
  const called = calledFunction(call, compiler, scope);
  if (called.signature.returnsSet) return setExpression(called, scope, call.location);
  const act = scalarFunction(name);
  if (act === null) return unsupported(`the function ${name}`, call.location);
  return calling(called, act);
}

function calling(
  { values, types, result, signature }: Called,
  act: NonNullable<ReturnType<typeof scalarFunction>>,
): Expr {
  const own = values.map((expr, at) =>
    isPolymorphic(types[at] ?? 0) || types[at] === undefined ? expr.type : (types[at] as number),
  );
  const runs = values.map(({ run }) => run);
  const { isStrict } = signature;
  return {
    type: result,
    typmod: -1,
    run: (frame) => {
      frame.run.budget.step();
      const given: Value[] = [];
      for (const run of runs) {
        const value = run(frame);
        if (value === null && isStrict) return null;
        if (typeof value === "string") frame.run.budget.step(value.length >> 5);
        given.push(value);
      }
      return act(given, { run: frame.run, types: own, result });
    },
  };
}

/** Returns the rows of a function that returns a set. Errors: query.unsupported. */
export function setRows(
  { values, types, result, signature, name }: Called,
  offset?: number,
): (frame: Frame) => readonly Tuple[] {
  const act = setFunctions[name] ?? (/^pg_stat_get_/.test(name) ? () => [] : undefined);
  if (!act) return unsupported(`the function ${name}`, offset);
  const own = values.map((expr, at) => types[at] ?? expr.type);
  return (frame) => {
    frame.run.budget.step();
    const given = values.map(({ run }) => run(frame));
    if (signature.isStrict && given.some((value) => value === null)) return [];
    return act(given, { run: frame.run, types: own, result });
  };
}

function setExpression(called: Called, scope: Scope, offset?: number): Expr {
  const { collector } = scope;
  if (!collector) return unsupported("a function that returns a set at this place", offset);
  const { signature, result } = called;
  const rows = setRows(called, offset);
  const fields = signature.outputs;
  const isRow = fields.length > 1;
  const element = called.name === "_pg_expandarray" ? elementOf(called) : null;
  const own = fields.map((field, at) => (at === 0 && element !== null ? { ...field, type: element } : field));
  const [types, names] = [own.map(({ type }) => type), own.map((field) => field.name)];
  const at = collector.sets.length;
  collector.sets.push({
    rows: (frame) => rows(frame).map((row) => (isRow ? new RowValue(row, types, names) : (row[0] ?? null))),
  });
  return {
    type: isRow ? oids.record : result,
    typmod: -1,
    run: (frame) => frame.sets[at] ?? null,
    ...(isRow ? { fields: own } : {}),
  };
}

/** The type of what _pg_expandarray takes out of its array. */
function elementOf({ values, result }: Called): number {
  const type = values[0]?.type ?? result;
  return type === oids.int2vector
    ? oids.int2
    : type === oids.oidvector
      ? oids.oid
      : (itemTypes.get(type) ?? oids.int2);
}

const itemTypes: ReadonlyMap<number, number> = new Map([
  [1_005, oids.int2],
  [1_007, oids.int4],
  [1_028, oids.oid],
]);

/** Reads the keys of an order. */
export function sortKeys(
  nodes: readonly Node[] | undefined,
  compiler: Compiler,
  scope: Scope,
): readonly SortKey[] {
  return (nodes ?? []).map((node) => {
    const { node: by, sortby_dir, sortby_nulls } = (node as { SortBy: SortBy }).SortBy;
    const isDescending = sortby_dir === "SORTBY_DESC";
    const expr = compiler.expression(by as Node, scope);
    const known =
      expr.type === oids.unknown ? coerce(expr, oids.text, "i", compiler.place, compiler.parameters) : expr;
    return {
      expr: known,
      isDescending,
      areNullsFirst:
        sortby_nulls === "SORTBY_NULLS_FIRST" || (isDescending && sortby_nulls !== "SORTBY_NULLS_LAST"),
    };
  });
}

function aggregateExpression(call: FuncCall, compiler: Compiler, scope: Scope): Expr {
  const { collector } = scope;
  const name = stringsOf(call.funcname).at(-1) ?? "";
  if (!collector) return refused("query.syntax", "aggregates do not stand here", call.location);
  const begin = aggregateFunctions[name];
  if (!begin || call.agg_within_group) return unsupported(`the aggregate ${name}`, call.location);
  scope.collector = null;
  try {
    const called = call.agg_star ? null : calledFunction(call, compiler, scope);
    const filter = call.agg_filter ? compiler.expression(call.agg_filter, scope) : null;
    const values = called?.values ?? [];
    const types = values.map((expr) => expr.type);
    const result = called?.result ?? oids.int8;
    const at = collector.aggregates.length;
    collector.aggregates.push({
      arguments: values,
      isDistinct: call.agg_distinct === true,
      order: sortKeys(call.agg_order, compiler, scope),
      filter: filter && coerce(filter, oids.bool, "i", compiler.place, compiler.parameters),
      begin: () => begin(types, result),
    });
    return { type: result, typmod: -1, run: (frame) => frame.aggregates[at] ?? null };
  } finally {
    scope.collector = collector;
  }
}

function windowExpression(call: FuncCall, compiler: Compiler, scope: Scope): Expr {
  const { collector } = scope;
  const name = stringsOf(call.funcname).at(-1) ?? "";
  if (!collector) return refused("query.syntax", "window functions do not stand here", call.location);
  const called = call.agg_star ? null : calledFunction(call, compiler, scope);
  const values = called?.values ?? [];
  const result = called?.result ?? oids.int8;
  const act = windowFunction(name, values, result);
  if (act === null) return unsupported(`the window function ${name}`, call.location);
  const definition = windowOf(call.over as WindowDef, scope);
  const at = collector.windows.length;
  collector.windows.push({
    partition: (definition.partitionClause ?? []).map((node) => compiler.expression(node, scope)),
    order: sortKeys(definition.orderClause, compiler, scope),
    values: act,
  });
  return { type: result, typmod: -1, run: (frame) => frame.windows[at] ?? null };
}

function windowOf(over: WindowDef, scope: Scope): WindowDef {
  const named = over.name ?? over.refname;
  if (named === undefined) return over;
  const found = scope.windows.get(named);
  if (!found || !("WindowDef" in found))
    return refused("query.syntax", `there is no window ${JSON.stringify(named)}`);
  return { ...found.WindowDef, ...(over.orderClause ? { orderClause: over.orderClause } : {}) };
}
