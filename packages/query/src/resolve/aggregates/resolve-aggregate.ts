import { elementAt } from "@lethe/core/numeric";
import type { FuncCall, Node } from "@pgsql/types";
import { familyOf } from "../../aggregates/family-of.ts";
import { demandType } from "../../expressions/build/build-expression.ts";
import { alwaysNull } from "../../expressions/operators/domains.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { aggregateNamed, isAggregateName, otherAggregates } from "../names/aggregate-names.ts";
import { functionName } from "../names/nodes.ts";
import type { Aggregate, AskedBounds } from "../names/resolved-query.ts";
import { findColumn, presenceOf, type Scope, type ScopeColumn, unitSql } from "../names/scope.ts";
import { checkForm, filtered, where } from "./aggregate-form.ts";
import { onlyWhere, unitsWhere } from "./counted-units.ts";
import { resolveAskedBounds } from "./resolve-bounds.ts";
import { resolvePair } from "./resolve-pair.ts";
import { resolveQuantile } from "./resolve-quantile.ts";

/** The call of an aggregate (of any, answered or not) that a node is; null for every other node. */
export function aggregateCall(node: Node): FuncCall | null {
  if (!("FuncCall" in node)) return null;
  const name = functionName(node.FuncCall.funcname);
  return isAggregateName(name) ? node.FuncCall : null;
}

function columnReferred(node: Node | undefined, scope: Scope): ScopeColumn | null {
  return node !== undefined && "ColumnRef" in node ? findColumn(node.ColumnRef, scope) : null;
}

/** Whether a node is just a column that names the privacy unit. */
export function isUnitReference(node: Node | undefined, scope: Scope): boolean {
  return columnReferred(node, scope)?.isUnit ?? false;
}

/** COUNT(DISTINCT …): of the unit, or of the values of an expression. */
function countDistinct(call: FuncCall, args: readonly Node[], scope: Scope): Aggregate {
  const { location } = call;
  if (args.length !== 1)
    refuse("query.type", "COUNT(DISTINCT …) takes one argument", "count each by itself", location);
  if (isUnitReference(args[0], scope)) {
    if (!call.agg_filter) return { kind: "count-units" };
    const written = writeSql(resolveExpression(call.agg_filter, scope));
    return { kind: "count-units-with", argument: filtered(scope.build.literal(1), call, scope), written };
  }
  const column = columnReferred(args[0], scope);
  const present = presenceOf(column, scope, location);
  if (present) {
    const argument = filtered(onlyWhere(present, scope, location), call, scope);
    const conditions = [present, ...(call.agg_filter ? [resolveExpression(call.agg_filter, scope)] : [])];
    return { kind: "count-units-with", argument, written: conditions.map(writeSql).join(" AND ") };
  }
  if (column?.namesUnit)
    refuse(
      "query.unsupported",
      `${JSON.stringify(column.name)} names the privacy unit, and may be missing in rows of the join`,
      `write COUNT(DISTINCT ${unitSql(scope) ?? "…"}), which every row has`,
      location,
    );
  const argument = filtered(resolveExpression(elementAt(args, 0), scope), call, scope);
  if (alwaysNull(argument.domain))
    refuse("query.type", `${writeSql(argument)} is always NULL`, "count something that has values", location);
  return { kind: "count-distinct", argument };
}

function count(call: FuncCall, args: readonly Node[], scope: Scope): Aggregate {
  if (call.agg_star || isUnitReference(args[0], scope)) {
    if (!call.agg_filter) return { kind: "count", argument: null };
    return { kind: "count", argument: filtered(scope.build.literal(1), call, scope) };
  }
  const present = presenceOf(columnReferred(args[0], scope), scope, call.location);
  if (present)
    return { kind: "count", argument: filtered(onlyWhere(present, scope, call.location), call, scope) };
  const argument = filtered(resolveExpression(elementAt(args, 0), scope), call, scope);
  return { kind: "count", argument: argument.domain.nullable ? argument : null };
}

/** A count whose part of a unit in a group is clamped: the sum of a 1 for each row that counts. */
function withBounds(counted: Aggregate, bounds: AskedBounds | null, call: FuncCall, scope: Scope): Aggregate {
  if (bounds === null || counted.kind !== "count") return counted;
  const one = scope.build.literal(1);
  if (counted.argument === null) return { kind: "sum", argument: one, bounds };
  const when = scope.build.call("is-not-null", [counted.argument], call.location);
  // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
  const argument = scope.build.case([{ when, then: one }], scope.build.literal(null), call.location);
  return { kind: "sum", argument, bounds };
}

const modeFix = "write MODE(x) in a SELECT that groups rows of units, or counts all of them";
const otherFixes: ReadonlyMap<string, string> = new Map([
  ["mode", modeFix],
  ["approx_top_count", modeFix],
  ["approx_top_k", modeFix],
  ["histogram", "group by buckets, and count: WIDTH_BUCKET(x, lo, hi, n), COUNT(*)"],
  ["bool_or", "count the rows: COUNT(*) FILTER (WHERE …)"],
  ["bool_and", "count the rows that differ: COUNT(*) FILTER (WHERE NOT …)"],
  ["every", "count the rows that differ: COUNT(*) FILTER (WHERE NOT …)"],
]);

function refuseUnanswered(name: string, location: number | undefined): never {
  return refuse(
    "query.unsupported",
    otherAggregates.get(name) ?? `${name.toUpperCase()} is not answered`,
    otherFixes.get(name) ?? "ask for COUNT, SUM, AVG, VARIANCE, STDDEV or MEDIAN",
    location,
  );
}

/**
 * One aggregate of the question. Errors: query.unsupported for other aggregates, DISTINCT and windows; query.type for
 * an argument that is no number; query.option for bounds.
 */
export function resolveAggregate(call: FuncCall, scope: Scope): Aggregate {
  const name = functionName(call.funcname);
  const label = name.toUpperCase();
  const { location } = call;
  const known = aggregateNamed(name) ?? refuseUnanswered(name, location);
  const { form } = known;
  if (form.reads === "share") return resolveQuantile(call, { form, bounds: known.bounds }, scope);
  if (form.reads === "computed pair") return refuseUnanswered(name, location);
  checkForm(call, label);
  if (form.reads === "rows" || form.reads === "distinct") {
    const units = unitsWhere(call, scope);
    if (units !== call) return resolveAggregate(units, scope);
  }
  const args = (call.args ?? []).filter((arg) => !("NamedArgExpr" in arg));
  const bounds = resolveAskedBounds(call, known.bounds, scope);
  const ofValues = form.reads === "number" ? form.ofDistinct : undefined;
  if (call.agg_distinct && !ofValues && form.reads !== "rows" && form.reads !== "distinct")
    refuse(
      "query.unsupported",
      `${label} of distinct values is not answered: DISTINCT is known in COUNT, SUM, AVG, VARIANCE and STDDEV`,
      "remove DISTINCT",
      location,
    );
  if ((call.agg_distinct && !ofValues) || form.reads === "distinct") {
    if (bounds !== null)
      refuse(
        "query.option",
        `${label} of distinct values takes no bounds`,
        "bound the rows instead: OPTIONS(max_rows_contributed_per_group = 3)",
        location,
      );
    return countDistinct(call, args, scope);
  }
  if (form.reads === "pair") return form.of(resolvePair(call, scope));
  if (call.agg_star ? form.reads !== "rows" : args.length !== 1)
    refuse(
      "query.type",
      `${label} takes one argument`,
      `write ${form.reads === "rows" ? "COUNT(*)" : `${label}(x)`}`,
      location,
    );
  if (form.reads === "condition") {
    const argument = where(elementAt(args, 0), scope.build.literal(1), call, scope);
    return withBounds({ kind: "count", argument: filtered(argument, call, scope) }, bounds, call, scope);
  }
  if (form.reads === "rows") return withBounds(count(call, args, scope), bounds, call, scope);
  const argument = filtered(resolveExpression(elementAt(args, 0), scope), call, scope);
  demandType(argument, "number", location);
  if (alwaysNull(argument.domain))
    refuse(
      "query.type",
      `${writeSql(argument)} is always NULL`,
      `write ${label} of something that has values`,
      location,
    );
  return call.agg_distinct && form.ofDistinct ? form.ofDistinct(argument, bounds) : form.of(argument, bounds);
}

/** The aggregate as SQL that is read back as the same aggregate; also its identity. */
export function writeAggregate(aggregate: Aggregate, scope: Scope): string {
  return familyOf(aggregate).write(aggregate, unitSql(scope) ?? "*");
}
