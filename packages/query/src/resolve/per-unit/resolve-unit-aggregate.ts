import { elementAt } from "@lethe/core/numeric";
import type { FuncCall, Node } from "@pgsql/types";
import { argumentGrid } from "../../aggregates/bounds/argument-grid.ts";
import { demandType } from "../../expressions/build/build-expression.ts";
import { type Domain, type NumberDomain, valuesAtMost } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { alwaysNull } from "../../expressions/operators/domains.ts";
import { maxExact } from "../../expressions/operators/interval.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { Grid } from "../../grid/grid.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { UnitAggregate } from "../../relations/unit-aggregate.ts";
import { checkForm, filtered, where } from "../aggregates/aggregate-form.ts";
import { onlyWhere } from "../aggregates/counted-units.ts";
import { isUnitReference } from "../aggregates/resolve-aggregate.ts";
import { resolveBounds } from "../aggregates/resolve-bounds.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { policyOfDomain, storedDomain } from "../from/tables/made-column.ts";
import { type AggregateName, aggregateNamed } from "../names/aggregate-names.ts";
import { functionName } from "../names/nodes.ts";
import type { AggregateBounds } from "../names/resolved-query.ts";
import { columnDomain, findColumn, presenceOf, type Scope } from "../names/scope.ts";

/** A value of some rows of one unit, with the column that keeps it. */
export interface ResolvedUnitAggregate {
  readonly aggregate: UnitAggregate;
  readonly policy: ColumnPolicy;
  readonly domain: Domain;
}

/**
 * An aggregate over rows of one unit, which is exact. Errors: query.unsupported for any but COUNT, SUM, AVG, MIN and MAX;
 * query.type, query.option; query.missing-bounds for sums and averages of numbers that nothing bounds.
 */
export function resolveUnitAggregate(call: FuncCall, scope: Scope): ResolvedUnitAggregate {
  const name = functionName(call.funcname);
  const label = name.toUpperCase();
  const { location } = call;
  const args = (call.args ?? []).filter((arg) => !("NamedArgExpr" in arg));
  checkForm({ ...call, over: undefined as never }, label);
  const isExtreme = name === "min" || name === "max";
  const named = aggregateNamed(name);
  const kind = named && "withinUnit" in named.form ? named.form.withinUnit : undefined;
  if (kind === undefined && !isExtreme)
    refuse(
      "query.unsupported",
      `${label} is not computed within a unit: COUNT, SUM, AVG, MIN and MAX are`,
      name === "bool_or"
        ? "write COUNT_IF(…) > 0"
        : "ask for one of those, or aggregate in the question itself",
      location,
    );
  if (kind === "count") return counted(call, named!, args, scope);
  if (call.agg_star || args.length !== 1)
    refuse("query.type", `${label} takes one argument`, `write ${label}(x)`, location);
  if (call.agg_distinct && !isExtreme)
    refuse(
      "query.unsupported",
      `${label} of distinct values is not answered: DISTINCT is known in COUNT(DISTINCT …) alone`,
      "remove DISTINCT",
      location,
    );
  const argument = filtered(resolveExpression(elementAt(args, 0), scope), call, scope);
  if (alwaysNull(argument.domain))
    refuse(
      "query.type",
      `${writeSql(argument)} is always NULL`,
      `write ${label} of something that has values`,
      location,
    );
  if (isExtreme) return extreme(name, call, argument);
  demandType(argument, "number", location);
  const bounds = resolveBounds(call, named!.bounds, scope);
  return kind === "sum" ? summed(argument, bounds) : averaged(argument, bounds, location);
}

/** A column of integers, for counts and places. */
export function integerColumn(lo: number, hi: number, nullable: boolean): ColumnPolicy {
  return { type: "integer", nullable, bounds: [lo, hi], categories: null, default: null };
}

function kept(aggregate: UnitAggregate, policy: ColumnPolicy): ResolvedUnitAggregate {
  return { aggregate, policy, domain: columnDomain(policy) };
}

function counted(
  call: FuncCall,
  { form, bounds }: AggregateName,
  args: readonly Node[],
  scope: Scope,
): ResolvedUnitAggregate {
  const name = functionName(call.funcname);
  const isConditional = form.reads === "condition";
  const isDistinct = call.agg_distinct === true || form.reads === "distinct";
  const { location } = call;
  if (resolveBounds(call, bounds, scope) !== null)
    refuse("query.option", "COUNT within a unit takes no bounds", "remove them", call.location);
  if (call.agg_star ? isConditional || isDistinct : args.length !== 1)
    refuse("query.type", `${name.toUpperCase()} takes one argument`, "write COUNT(*)", location);
  const isUnit = isUnitReference(args[0], scope);
  if (isDistinct && isUnit)
    refuse(
      "query.unsupported",
      "the number of units is 1 in each row of a subquery that is grouped by the unit",
      "leave it out, and write COUNT(*) in the question itself",
      location,
    );
  const one = scope.build.literal(1);
  const present = args[0] && "ColumnRef" in args[0] ? findColumn(args[0].ColumnRef, scope) : null;
  const presence = presenceOf(present, scope, location);
  const argument = presence
    ? filtered(onlyWhere(presence, scope, location), call, scope)
    : isConditional
      ? filtered(where(elementAt(args, 0), one, call, scope), call, scope)
      : filtered(call.agg_star || isUnit ? one : resolveExpression(elementAt(args, 0), scope), call, scope);
  const { nullable } = argument.domain;
  const least = nullable ? 0 : 1;
  if (!isDistinct)
    return kept(
      { kind: "count", argument: nullable ? argument : null },
      integerColumn(least, maxExact, false),
    );
  const most = Math.min(maxExact, Math.max(least, valuesAtMost(argument.domain)));
  return kept({ kind: "count-distinct", argument }, integerColumn(least, most, false));
}

/** Integers are summed as they are, whether or not anything bounds them: each has its limit. */
function wholeGrid({ bounds }: NumberDomain): Grid {
  const [lo, hi] = bounds ?? [-maxExact, maxExact];
  return { exponent: 0, lo: `${BigInt(lo)}`, hi: `${BigInt(hi)}` };
}

function summed(argument: Expression, bounds: AggregateBounds | null): ResolvedUnitAggregate {
  const domain = argument.domain as NumberDomain;
  const { nullable } = domain;
  const grid = bounds === null && domain.integer ? wholeGrid(domain) : argumentGrid("SUM", argument, bounds);
  const aggregate = { kind: "sum", argument, grid } as const;
  if (bounds?.per === "group") {
    const { lo, hi } = bounds;
    const isIntegral = grid.exponent === 0 && Number.isInteger(lo) && Number.isInteger(hi);
    const policy: ColumnPolicy = isIntegral
      ? integerColumn(lo, hi, nullable)
      : { type: "number", nullable, bounds: [lo, hi], default: null };
    return kept(aggregate, policy);
  }
  if (grid.exponent !== 0) return kept(aggregate, { type: "number", nullable, bounds: null, default: null });
  const [lo, hi] = [Number(grid.lo), Number(grid.hi)];
  return kept(aggregate, integerColumn(lo < 0 ? -maxExact : lo, hi > 0 ? maxExact : hi, nullable));
}

function averaged(
  argument: Expression,
  bounds: AggregateBounds | null,
  location: number | undefined,
): ResolvedUnitAggregate {
  if (bounds?.per === "group")
    refuse(
      "query.option",
      "AVG takes bounds per row, not per group",
      `write AVG(${writeSql(argument)}, contribution_bounds_per_row => (${bounds.lo}, ${bounds.hi}))`,
      location,
    );
  const grid = argumentGrid("AVG", argument, bounds);
  const [lo, hi] = [grid.lo, grid.hi].map((end) => Number(end) * 2 ** grid.exponent) as [number, number];
  const { nullable } = argument.domain;
  return kept({ kind: "avg", argument, grid }, { type: "number", nullable, bounds: [lo, hi], default: null });
}

function extreme(kind: "min" | "max", call: FuncCall, argument: Expression): ResolvedUnitAggregate {
  const { domain } = argument;
  const { location } = call;
  const label = kind.toUpperCase();
  if ((call.args ?? []).length > 1)
    refuse(
      "query.option",
      `${label} takes no bounds within a unit`,
      `write ${label}(${writeSql(argument)})`,
      location,
    );
  if (domain.type === "boolean")
    refuse("query.type", `${label} takes no boolean`, `write COUNT_IF(${writeSql(argument)}) > 0`, location);
  return { aggregate: { kind, argument }, policy: policyOfDomain(domain), domain: storedDomain(domain) };
}
