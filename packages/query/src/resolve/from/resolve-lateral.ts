import { lastElement } from "@lethe/core/numeric";
import type { ColumnRef, Node, ResTarget, SelectStmt } from "@pgsql/types";
import { demandCondition } from "../../expressions/build/demand-possible.ts";
import type { Expression } from "../../expressions/expression.ts";
import { maxExact } from "../../expressions/operators/interval.ts";
import { conjuncts } from "../../parse/tree/conditions.ts";
import type { Policy } from "../../policy/policy.ts";
import { refuse } from "../../refusals/refuse.ts";
import { ownerOf, type Relation, type WindowedRelation } from "../../relations/relation.ts";
import { aggregateCall } from "../aggregates/resolve-aggregate.ts";
import { resolveCondition } from "../conditions/resolve-condition.ts";
import { offsetOf, ownCalls } from "../names/nodes.ts";
import { defaultName } from "../names/output-name.ts";
import {
  columnDomain,
  columnsNamed,
  fieldNames,
  resolveName,
  type Scope,
  type ScopeColumn,
  type ScopeSource,
} from "../names/scope.ts";
import { checkSubquery } from "../names/subquery-clauses.ts";
import { integerColumn } from "../per-unit/resolve-unit-aggregate.ts";
import { resolveWindows } from "../per-unit/resolve-windows.ts";
import { shownColumns } from "../per-unit/shown-columns.ts";
import { resolveJoin } from "./resolve-join.ts";
import { withPresence } from "./tables/with-presence.ts";

/** Names that no question can write. */
const helper = "\u0001lateral";
const rowNumber = "\u0001row";
const isThere = "\u0001there";
const place = "\u0001place";

/** A subquery that is asked once for each row of the rows before it. */
export interface LateralSubquery {
  readonly select: SelectStmt;
  /** The name of its columns. */
  readonly name: string;
  /** Whether a row before it stays where the subquery has none. */
  readonly keepsAll: boolean;
  readonly offset: number | undefined;
}

/** What the caller knows of FROM: how the subquery's own FROM is resolved, and names that are free. */
export interface LateralContext {
  readonly policy: Policy;
  readonly rowsOf: (select: SelectStmt) => { readonly scope: Scope; readonly where: Node | undefined };
  readonly source: (name: string) => string;
}

/**
 * Joins to each row what a subquery finds among rows of the same unit for it: all of them, the first ones of an order, or what they come to. The rows before are numbered
 * within their unit, joined, and the joined rows of each number are ordered, or added up, by a window within the unit, of which the first stay. So nothing is new to the
 * relation: numbers, a join within a unit, a window, a filter. Errors: query.unsupported for rows of other units, for GROUP BY, OFFSET and what else a subquery may not have;
 * those of joins and windows.
 */
export function resolveLateral(before: Scope, asked: LateralSubquery, context: LateralContext): Scope {
  const { select, name, offset } = asked;
  const { sortClause = [], limitCount, ...rest } = select;
  checkSubquery({ ...rest, limitOption: "LIMIT_OPTION_DEFAULT" }, offset);
  const addsUp = holdsAggregate(select.targetList);
  const first = addsUp ? 1 : firstOf(select, offset);
  const isJoin = first === null;
  const keepsAll = asked.keepsAll || addsUp;
  const numbered = isJoin ? before : numberRows(before, context, offset);
  const inner = context.rowsOf({ ...rest, targetList: [] });
  const right = keepsAll ? presentRows(inner.scope, context, offset) : inner.scope;
  const joined = resolveJoin(
    {
      type: keepsAll ? "left" : "inner",
      ...{ left: numbered, right, using: [], offset },
      conditions: conjuncts(inner.where).map((condition) => within(condition, right) as Node),
    },
    context.policy,
  );
  const there = keepsAll ? presence(joined, right, offset) : null;
  const rows: Scope = {
    ...joined,
    sources: [
      ...joined.sources,
      {
        name: helper,
        columns: there === null ? [] : [made(isThere, there)],
      },
    ],
    ...(before.marks ? { marks: before.marks } : {}),
  };
  const partition = isJoin ? [] : [reference(unitOf(before, offset)), bare(rowNumber)];
  const targets = (select.targetList ?? []).flatMap((target) =>
    spread((target as { ResTarget: ResTarget }).ResTarget, right),
  );
  const shown = targets.map(({ val, name: written }): ResTarget => {
    const own = within(val, right) as Node;
    const value = addsUp
      ? (overRows(own, partition, there !== null) as Node)
      : there === null || "ColumnRef" in own
        ? own
        : whereThere(own);
    return { name: written ?? (val ? defaultName(val) : ""), val: value };
  });
  if (isJoin) {
    const columns = shown.flatMap((target) => shownColumns(target, rows)).map(unlinked);
    return withColumns(before, joined.from, { name, columns });
  }
  const order = sortClause.length > 0 ? (within(sortClause, right) as Node[]) : [bySort(bare(rowNumber))];
  const placed: ResTarget = {
    name: place,
    val: {
      FuncCall: {
        funcname: [word("row_number")],
        over: { partitionClause: partition, orderClause: order, frameOptions: 1058 },
      },
    },
  };
  const windows = resolveWindows(
    { targetList: [...shown, placed].map((target): Node => ({ ResTarget: target })) },
    name,
    context.source(name),
    rows,
    offset,
  );
  const columns = windows.sources[0]?.columns ?? [];
  const number = lastElement(columns).expression(offset);
  const where = before.build.call("<=", [number, before.build.literal(first)], offset);
  const from: Relation = { kind: "filter", of: windows.from, where };
  return withColumns(before, from, { name, columns: columns.slice(0, -1).map(unlinked) });
}

/** The rows before with what the subquery shows of each. What is joined behind them finds them by the unit and by values alone. */
function withColumns(before: Scope, from: Relation, shown: ScopeSource): Scope {
  return {
    ...before,
    from,
    sources: [
      ...before.sources.map((source) => ({ ...source, columns: source.columns.map(unlinked) })),
      shown,
    ],
    merged: before.merged.map(unlinked),
  };
}

function unlinked(column: ScopeColumn): ScopeColumn {
  return { ...column, key: column.key && { of: column.key.of, at: null } };
}

/** Keeps the rows of which every condition behind LATERAL is true. */
export function whereTrue(scope: Scope, conditions: readonly Node[]): Scope {
  let { from } = scope;
  for (const node of conditions) {
    const where = resolveCondition(node, scope);
    demandCondition(where, offsetOf(node));
    const isTrue = where.kind === "literal" && where.value === true;
    if (!isTrue) from = { kind: "filter", of: from, where };
  }
  return { ...scope, from };
}

/** How many rows a subquery keeps of each; null for all. Errors: query.unsupported for OFFSET and for what is no number. */
function firstOf(
  { limitCount, limitOffset, sortClause }: SelectStmt,
  offset: number | undefined,
): number | null {
  const count = limitCount && "A_Const" in limitCount ? (limitCount.A_Const.ival?.ival ?? 0) : 0;
  if (limitOffset !== undefined || (limitCount !== undefined && !(count >= 1)))
    refuse(
      "query.unsupported",
      "a subquery of each row is cut by a constant LIMIT alone",
      "write LIMIT 1",
      offset,
    );
  if (limitCount === undefined && sortClause !== undefined)
    refuse(
      "query.unsupported",
      "the order of rows that are joined has no meaning",
      "leave ORDER BY out, or write LIMIT 1",
      offset,
    );
  return limitCount === undefined ? null : count;
}

/** The same rows with a number each, different from those of the unit's other rows. */
function numberRows(scope: Scope, context: LateralContext, offset: number | undefined): Scope {
  unitOf(scope, offset);
  const source = context.source("numbered");
  const policy = integerColumn(1, maxExact, false);
  // Rows that an order does not tell apart stand in that of all their columns.
  const order = [{ by: scope.build.literal(1), descending: false, nullsFirst: false }];
  const from: WindowedRelation = {
    ...{ kind: "windowed", source, of: scope.from, columns: { number: policy } },
    values: {
      number: { value: { kind: "row-number", argument: null }, partition: [], order, frame: null },
    },
  };
  const number: Expression = { kind: "column", source, name: "number", domain: columnDomain(policy) };
  const numbered = withColumns(scope, from, { name: rowNumber, columns: [made(rowNumber, number)] });
  return numbered;
}

function unitOf({ from, sources }: Scope, offset: number | undefined): readonly [ScopeSource, ScopeColumn] {
  for (const source of sources)
    for (const column of source.columns)
      if (column.isUnit && ownerOf(from) === "column") return [source, column];
  return refuse(
    "query.unsupported",
    "a subquery of each row looks among rows of the row's unit, and the rows before it do not show their unit",
    "show the column that names the unit there",
    offset,
  );
}

/** The subquery's rows with what tells, behind an outer join, that they are there. */
function presentRows(scope: Scope, { source }: LateralContext, offset: number | undefined): Scope {
  const units = scope.sources.flatMap(({ columns }) => columns.filter(({ isUnit }) => isUnit));
  return withPresence(scope, new Set(units.map(({ name }) => name.toLowerCase())), source, offset);
}

/** Returns what is true where the subquery's side of a joined row is there. Errors: query.unsupported where nothing tells it. */
function presence(joined: Scope, right: Scope, offset: number | undefined): Expression {
  const names = new Set(right.sources.map(({ name }) => name));
  const columns = joined.sources.filter(({ name }) => names.has(name)).flatMap((source) => source.columns);
  const present = columns.find((column) => column.present)?.present;
  if (present) return joined.build.call("is-true", [present(offset)], offset);
  const sure = right.sources
    .flatMap((source) => source.columns)
    .find(
      (column) =>
        !column.namesUnit &&
        column.expression(offset).kind === "column" &&
        !column.expression(offset).domain.nullable,
    );
  const behind = sure && columns.find(({ name }) => name === sure.name);
  if (behind) return joined.build.call("is-not-null", [behind.expression(offset)], offset);
  return refuse(
    "query.unsupported",
    "nothing tells whether the subquery of a row has rows for it",
    "ask one table in the subquery, and show the column that names the unit",
    offset,
  );
}

/** Names of a subquery hide those around it: bare names that it has are written with their source. */
function within(tree: unknown, right: Scope): unknown {
  if (Array.isArray(tree)) return tree.map((part) => within(part, right));
  if (typeof tree !== "object" || tree === null) return tree;
  if ("ColumnRef" in tree) {
    const column = tree.ColumnRef as ColumnRef;
    const names = fieldNames(column.fields);
    const [only, ...more] = names ?? [];
    if (only === undefined || more.length > 0 || right.merged.some(({ name }) => name === only)) return tree;
    const [found] = columnsNamed(only, right);
    const source = found && right.sources.find(({ columns }) => columns.includes(found));
    return source ? { ColumnRef: { ...column, fields: [word(source.name), word(only)] } } : tree;
  }
  return Object.fromEntries(Object.entries(tree).map(([name, part]) => [name, within(part, right)]));
}

function holdsAggregate(node: readonly Node[] | undefined): boolean {
  for (const call of ownCalls(node)) if (aggregateCall({ FuncCall: call }) && !call.over) return true;
  return false;
}

/** Writes aggregates as windows over the rows that the subquery has for a row. */
function overRows(tree: unknown, partitionClause: readonly Node[], mayMiss: boolean): unknown {
  if (Array.isArray(tree)) return tree.map((part) => overRows(part, partitionClause, mayMiss));
  if (typeof tree !== "object" || tree === null) return tree;
  const call = "FuncCall" in tree ? aggregateCall(tree as Node) : null;
  if (call && !call.over) {
    const there = bare(isThere);
    const both: Node = call.agg_filter
      ? { BoolExpr: { boolop: "AND_EXPR", args: [call.agg_filter, there] } }
      : there;
    return {
      FuncCall: {
        ...call,
        ...(mayMiss ? { agg_filter: both } : {}),
        over: { partitionClause: [...partitionClause], frameOptions: 1058 },
      },
    };
  }
  return Object.fromEntries(
    Object.entries(tree).map(([name, part]) => [name, overRows(part, partitionClause, mayMiss)]),
  );
}

/** A star as the columns of the subquery, or of one of its sources. */
function spread(target: ResTarget, { sources }: Scope): readonly ResTarget[] {
  const fields = target.val && "ColumnRef" in target.val ? (target.val.ColumnRef.fields ?? []) : [];
  const last = fields.at(-1);
  if (!last || !("A_Star" in last)) return [target];
  const [only] = fieldNames(fields.slice(0, -1)) ?? [];
  return sources
    .filter(({ name }) => only === undefined || resolveName(only, [name]) !== null)
    .flatMap((source) => source.columns.map((column) => ({ val: reference([source, column]) })));
}

function whereThere(result: Node): Node {
  return { CaseExpr: { args: [{ CaseWhen: { expr: bare(isThere), result } }] } };
}

function made(name: string, value: Expression): ScopeColumn {
  return { name, key: null, isUnit: false, namesUnit: false, expression: () => value };
}

const word = (sval: string): Node => ({ String: { sval } });
const bare = (name: string): Node => ({ ColumnRef: { fields: [word(name)] } });
const bySort = (node: Node): Node => ({
  SortBy: { node, sortby_dir: "SORTBY_DEFAULT", sortby_nulls: "SORTBY_NULLS_DEFAULT" },
});
const reference = ([source, column]: readonly [ScopeSource, ScopeColumn]): Node => ({
  ColumnRef: { fields: [word(source.name), word(column.name)] },
});
