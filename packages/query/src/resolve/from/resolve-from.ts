import { elementAt } from "@lethe/core/numeric";
import type { JoinExpr, Node, RangeVar, ResTarget, SelectStmt } from "@pgsql/types";
import type { ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import { demandCondition } from "../../expressions/build/demand-possible.ts";
import { writeName } from "../../expressions/write-sql.ts";
import { allOf, conjuncts } from "../../parse/tree/conditions.ts";
import type { Policy } from "../../policy/policy.ts";
import { refuse } from "../../refusals/refuse.ts";
import { type JoinRelation, keptSources, ownerOf } from "../../relations/relation.ts";
import { resolveCondition } from "../conditions/resolve-condition.ts";
import { nodesOf, offsetOf, offsetWithin, part } from "../names/nodes.ts";
import { fieldNames, resolveName, type Scope, type ScopeColumn } from "../names/scope.ts";
import { checkSubquery, groupingClauses, refuseClause } from "../names/subquery-clauses.ts";
import { firstRows, keepsFirst } from "../per-unit/distinct-on.ts";
import { aggregates, resolveGrouped } from "../per-unit/resolve-grouped.ts";
import { asksWindows, resolveWindows } from "../per-unit/resolve-windows.ts";
import { shownColumns } from "../per-unit/shown-columns.ts";
import { asksSubquery, looksSomewhere, looksWithin } from "./looked-subquery.ts";
import { equatedColumns, isOf, resolveJoin } from "./resolve-join.ts";
import { type LateralContext, type LateralSubquery, resolveLateral, whereTrue } from "./resolve-lateral.ts";
import type { InnerQuery } from "./resolve-looked.ts";
import { resolveMark, resolveSemijoin } from "./resolve-semijoin.ts";
import { distinctOf, resolveOverlap, setOperation } from "./resolve-set.ts";
import { type Named, namedIn, subqueryNamed } from "./tables/named-subqueries.ts";
import { isView, viewsOf, withinView } from "./tables/policy-views.ts";
import { readDistinct, showsDistinct } from "./tables/read-distinct.ts";
import { tableNamed, tableScope } from "./tables/resolve-table.ts";
import { resolveUnion, unionParts } from "./tables/resolve-union.ts";
import { namedColumns, withPresence } from "./tables/with-presence.ts";
import { resolveFunction, resolveValues } from "./tables/written-list.ts";
import { asksValues, resolveValuesOfRows } from "./values-of-rows.ts";

/** The most tables of one question. More would help no question, and each is read. */
const maxTables = 16;

/** The rows a SELECT is about, and what is left of its WHERE. */
export interface ResolvedFrom {
  readonly scope: Scope;
  readonly where: Node | undefined;
}

interface FromContext {
  readonly policy: Policy;
  readonly build: ExpressionBuilder;
  /** Names of sources in use, in lower case. */
  readonly sources: Set<string>;
  readonly views: ReadonlyMap<string, Named>;
  /** The columns that the SELECT around names, as {@link namedColumns} writes them. */
  readonly asked: ReadonlySet<string>;
}

/**
 * Resolves FROM and WITH: tables of the policy, joined, and subqueries that show, filter and join. Errors: query.unsupported,
 * query.unknown-table, query.unknown-column, query.too-large, each with a form that is accepted.
 */
export function resolveFrom(
  select: SelectStmt,
  policy: Policy,
  build: ExpressionBuilder,
): ResolvedFrom & { readonly views: readonly string[] } {
  const views = viewsOf(policy);
  const context: FromContext = { policy, build, sources: new Set(), views, asked: new Set() };
  const own = namedIn(select.withClause, views);
  const named = new Map([...views, ...own]);
  const [only, ...more] = select.fromClause ?? [];
  const isAlone =
    only && "RangeVar" in only && more.length === 0 && subqueryNamed(only.RangeVar, named) === null;
  const resolved =
    isAlone && !looksSomewhere(select) && !asksValues(select)
      ? { scope: aloneScope(only.RangeVar, context), where: select.whereClause }
      : resolveItems(select, named, context);
  const read = [...views.values()].filter((view) => view.read).map(({ view }) => view);
  return { ...resolved, views: read };
}

function aloneScope(range: RangeVar, { policy, build }: FromContext): Scope {
  const table = tableNamed(range, policy);
  return tableScope(table, range.alias?.aliasname ?? table, null, policy, build);
}

/** FROM a, b: a join whose conditions stand in WHERE. */
function resolveItems(
  select: SelectStmt,
  named: ReadonlyMap<string, Named>,
  around: FromContext,
): ResolvedFrom {
  const context = { ...around, asked: namedColumns(select) };
  const [first, ...others] = select.fromClause ?? [];
  if (!first) {
    const known = Object.keys(context.policy.tables).slice(0, 12).join(", ");
    refuse("query.unsupported", "the question names no table", `ask FROM one of: ${known}`);
  }
  let scope = resolveItem(first, named, context);
  let conditions = conjuncts(select.whereClause);
  for (const item of others) {
    const lateral = lateralOf(item, false);
    if (lateral) {
      scope = resolveLateral(scope, lateral, lateralContext(named, context));
      continue;
    }
    const right = resolveItem(item, named, context);
    const left = scope;
    const moved = conditions.filter((condition) => isBetween(condition, left, right));
    const offset = offsetWithin(item);
    scope = resolveJoin({ type: "inner", left, right, conditions: moved, using: [], offset }, context.policy);
    conditions = conditions.filter((condition) => !moved.includes(condition));
  }
  scope = resolveValuesOfRows(select, scope, lateralContext(named, context));
  const asked = conditions.filter(asksSubquery);
  const marked = looksWithin(select);
  if (others.length === 0 && asked.length === 0 && marked.length === 0)
    return { scope, where: select.whereClause };
  const [unread] = keptSources(scope.from) === null ? [] : asked;
  if (unread)
    refuse(
      "query.unsupported",
      "a subquery in WHERE would leave out groups of public rows that an outer join keeps",
      "write the condition into a subquery of the public rows, or into ON",
      offsetOf(unread),
    );
  const rest = conditions.filter((condition) => !asked.includes(condition));
  const where = rest.length > 0 ? allOf(rest) : undefined;
  const inner: InnerQuery = (subselect, offset) => resolveInner(subselect, named, context, offset);
  const source = (): string => freeSource("subquery", context);
  const kept = asked.reduce((of, node) => resolveSemijoin(node, of, inner, source), scope);
  return { scope: marked.reduce((of, look) => resolveMark(look, of, inner, source), kept), where };
}

/**
 * Resolves FROM of a subquery in a condition and returns its list. The caller, which knows the rows around it, resolves its WHERE.
 * A subquery that groups its rows, or makes others of them, is resolved by itself.
 */
function resolveInner(
  written: SelectStmt,
  named: ReadonlyMap<string, Named>,
  context: FromContext,
  offset: number | undefined,
): ResolvedFrom & { readonly list: readonly Node[] } {
  const select = asSet(written);
  if (isCombined(select) || aggregates(select) || asksWindows(select)) {
    const name = "\u0001looked";
    const scope = resolveSubquery(select, name, named, context, offset);
    const list = scope.sources.flatMap(({ columns }) =>
      columns.map((column): Node => ({ ColumnRef: { fields: [name, column.name].map(word) } })),
    );
    return { scope, where: undefined, list };
  }
  checkSubquery(select, offset);
  const { scope, where } = resolveItems(select, named, context);
  keepsNoGroups(scope, offset);
  const list = (select.targetList ?? []).flatMap((target) => {
    const { val } = (target as { ResTarget: ResTarget }).ResTarget;
    return val ? [val] : [];
  });
  return { scope, where, list };
}

const word = (sval: string): Node => ({ String: { sval } });

/** A subquery as the set of its rows: neither their order nor how often one comes matters to IN and EXISTS. */
function asSet(select: SelectStmt): SelectStmt {
  const { sortClause: _, distinctClause, ...rest } = select;
  if (distinctClause && (select.groupClause || distinctClause.some((item) => Object.keys(item).length > 0)))
    return { ...rest, distinctClause };
  return rest;
}

/** Whether a condition equates a column of one side with a column of the other, so that it can be a condition of the join. */
function isBetween(condition: Node, left: Scope, right: Scope): boolean {
  const references = [...nodesOf<{ fields?: Node[] }>("ColumnRef", condition)];
  const known = {
    ...left,
    sources: [...left.sources, ...right.sources],
    merged: [...left.merged, ...right.merged],
  };
  // A column that is not known yet belongs to a later item, or is refused with the rest of WHERE.
  if (references.length !== 2 || !references.every(({ fields }) => names(fields, known) === 1)) return false;
  const columns = equatedColumns(condition, known);
  if (!columns) return false;
  const [a, b] = columns;
  return (isOf(a, left) && isOf(b, right)) || (isOf(a, right) && isOf(b, left));
}

/** How many columns a reference could mean. */
function names(fields: readonly Node[] | undefined, { sources, merged }: Scope): number {
  const parts = fieldNames(fields) ?? [];
  const name = parts.at(-1) ?? "";
  const among = (columns: readonly ScopeColumn[]): number =>
    resolveName(
      name,
      columns.map((column) => column.name),
    ) === null
      ? 0
      : 1;
  if (parts.length === 1 && among(merged) === 1) return 1;
  if (parts.length > 2) return 0;
  return sources
    .filter((source) => parts.length === 1 || resolveName(elementAt(parts, 0), [source.name]) !== null)
    .reduce((total, { columns }) => total + among(columns), 0);
}

const forms: Readonly<Record<string, string>> = {
  RangeTableSample: "TABLESAMPLE",
  RangeTableFunc: "XMLTABLE",
  JsonTable: "JSON_TABLE",
};

function resolveItem(node: Node, named: ReadonlyMap<string, Named>, context: FromContext): Scope {
  if ("RangeVar" in node) {
    const range = node.RangeVar;
    const subquery = subqueryNamed(range, named);
    if (!subquery) return sourceScope(range, context);
    subquery.read = true;
    const name = range.alias?.aliasname ?? range.relname!;
    const resolve = (): Scope =>
      renamed(
        renamed(
          resolveSubquery(subquery.select, name, subquery.known, context, range.location),
          subquery.columns,
          range.location,
        ),
        range.alias?.colnames,
        range.location,
      );
    return isView(subquery) ? withinView(subquery, range.location, resolve) : resolve();
  }
  if ("JoinExpr" in node) return resolveWrittenJoin(node.JoinExpr, named, context, offsetWithin(node));
  if ("RangeSubselect" in node) {
    const { subquery, alias, lateral } = node.RangeSubselect;
    const offset = offsetWithin(node);
    if (lateral)
      refuse(
        "query.unsupported",
        "LATERAL stands behind rows that it looks from",
        "write a JOIN LATERAL (…) b ON TRUE",
        offset,
      );
    const values = subquery && "SelectStmt" in subquery && subquery.SelectStmt.valuesLists;
    if (values) {
      const name = alias?.aliasname ?? "values";
      const listed = { ...alias, aliasname: name };
      return resolveValues(subquery.SelectStmt, listed, freeSource(name, context), context.build, offset);
    }
    const select = subquery && "SelectStmt" in subquery ? subquery.SelectStmt : {};
    const scope = resolveSubquery(select, alias?.aliasname ?? "subquery", named, context, offset);
    return renamed(scope, alias?.colnames, offset);
  }
  if ("RangeFunction" in node) {
    const name = node.RangeFunction.alias?.aliasname ?? "list";
    return resolveFunction(node.RangeFunction, freeSource(name, context), context.build);
  }
  return refuse(
    "query.unsupported",
    `${forms[elementAt(Object.keys(node), 0)] ?? "this form of FROM"} is not answered`,
    "ask tables of the policy",
    offsetWithin(node),
  );
}

/** Gives the columns of a subquery, from the first one on, the names that are written behind it. Errors: query.unsupported for too many. */
function renamed(scope: Scope, names: readonly Node[] = [], offset: number | undefined): Scope {
  const [source] = scope.sources;
  if (!source || names.length === 0) return scope;
  if (names.length > source.columns.length)
    refuse(
      "query.unsupported",
      `${writeName(source.name)} has ${source.columns.length} columns, and ${names.length} names`,
      "write a name for each column, or none",
      offset,
    );
  const columns = source.columns.map((column, at) => {
    const node = names[at];
    return node && "String" in node ? { ...column, name: node.String.sval ?? "" } : column;
  });
  return { ...scope, sources: [{ ...source, columns }] };
}

function sourceScope(range: RangeVar, context: FromContext): Scope {
  const { policy, build, sources } = context;
  const table = tableNamed(range, policy);
  if (sources.size >= maxTables)
    refuse(
      "query.too-large",
      `the question reads more than ${maxTables} tables`,
      "ask several questions",
      range.location,
    );
  const qualifier = range.alias?.aliasname ?? table;
  return tableScope(table, qualifier, freeSource(qualifier, context), policy, build);
}

/** A name that no other source of the question has. */
function freeSource(qualifier: string, { sources }: FromContext): string {
  let source = qualifier;
  for (let n = 2; sources.has(source.toLowerCase()); n += 1) source = `${qualifier}_${n}`;
  sources.add(source.toLowerCase());
  return source;
}

const joinTypes: Readonly<Record<string, JoinRelation["type"]>> = {
  JOIN_INNER: "inner",
  JOIN_LEFT: "left",
  JOIN_RIGHT: "right",
  JOIN_FULL: "full",
};

function resolveWrittenJoin(
  join: JoinExpr,
  named: ReadonlyMap<string, Named>,
  context: FromContext,
  offset: number | undefined,
): Scope {
  const type = joinTypes[join.jointype ?? "JOIN_INNER"];
  const side = (node: Node, mayMiss: boolean): Scope => {
    const scope = resolveItem(node, named, context);
    const source = (name: string): string => freeSource(name, context);
    return mayMiss ? withPresence(scope, context.asked, source, offset) : scope;
  };
  const left = side(part(join.larg), type === "right" || type === "full");
  const lateral = lateralOf(part(join.rarg), type === "left");
  if (lateral) {
    const conditions = conjuncts(join.quals);
    if (
      (type !== "inner" && type !== "left") ||
      (type === "left" && !conditions.every(isTrue)) ||
      join.usingClause
    )
      refuse(
        "query.unsupported",
        "LATERAL is joined by JOIN LATERAL, CROSS JOIN LATERAL, or LEFT JOIN LATERAL … ON TRUE",
        "write the condition into the subquery's WHERE, and ON TRUE",
        offset,
      );
    return whereTrue(resolveLateral(left, lateral, lateralContext(named, context)), conditions);
  }
  const right = side(part(join.rarg), type === "left" || type === "full");
  if (join.isNatural)
    refuse(
      "query.unsupported",
      "NATURAL is not answered: it joins on whatever names agree",
      `write JOIN … USING (${sharedNames(left, right)})`,
      offset,
    );
  if (!type || join.alias || join.join_using_alias)
    refuse("query.unsupported", "a join has no name of its own", "name the tables: a JOIN b ON …", offset);
  const using = (join.usingClause ?? []).map((name) => ("String" in name ? (name.String.sval ?? "") : ""));
  return resolveJoin({ type, left, right, conditions: conjuncts(join.quals), using, offset }, context.policy);
}

/** A LATERAL subquery, as an item of FROM or the right side of a join. */
function lateralOf(node: Node, keepsAll: boolean): LateralSubquery | null {
  if (!("RangeSubselect" in node) || !node.RangeSubselect.lateral) return null;
  const { subquery, alias } = node.RangeSubselect;
  const select = subquery && "SelectStmt" in subquery ? subquery.SelectStmt : {};
  if (select.valuesLists || isCombined(select)) return null;
  return { select, name: alias?.aliasname ?? "lateral", keepsAll, offset: offsetWithin(node) };
}

function lateralContext(named: ReadonlyMap<string, Named>, context: FromContext): LateralContext {
  return {
    policy: context.policy,
    rowsOf: (select) => resolveItems(select, named, context),
    source: (name) => freeSource(name, context),
  };
}

const isTrue = (node: Node): boolean => "A_Const" in node && node.A_Const.boolval?.boolval === true;

function sharedNames(left: Scope, right: Scope): string {
  const known = right.sources.flatMap(({ columns }) => columns.map(({ name }) => name));
  const shared = left.sources.flatMap(({ columns }) =>
    columns.filter(({ name }) => resolveName(name, known) !== null),
  );
  return shared.map(({ name }) => name).join(", ") || "a_column";
}

/** The clauses that may stand around the SELECTs of a UNION and its like. Each of these may have a WITH of its own. */
const combinedClauses: ReadonlySet<string> = new Set([
  "withClause",
  "op",
  "all",
  "larg",
  "rarg",
  "limitOption",
]);

function resolveSubquery(
  select: SelectStmt,
  name: string,
  outer: ReadonlyMap<string, Named>,
  context: FromContext,
  offset: number | undefined,
): Scope {
  if (select.valuesLists)
    return resolveValues(select, { aliasname: name }, freeSource(name, context), context.build, offset);
  if (isCombined(select)) return resolveCombined(select, name, outer, context, offset);
  if (keepsFirst(select)) return resolveSubquery(firstRows(select, offset), name, outer, context, offset);
  const isGrouped = aggregates(select);
  const isWindowed = !isGrouped && asksWindows(select);
  checkSubquery(select, offset, isGrouped ? groupingClauses : isWindowed ? ["windowClause"] : []);
  const own = namedIn(select.withClause, outer);
  const { scope, where } = resolveItems(select, new Map([...outer, ...own]), context);
  keepsNoGroups(scope, offset);
  let { from } = scope;
  if (where) {
    const condition = resolveCondition(where, scope);
    demandCondition(condition, offsetOf(where) ?? offset);
    from = { kind: "filter", of: from, where: condition };
  }
  if (ownerOf(from) === "public" && showsDistinct(select)) {
    const columns = shownBy(select, scope);
    return {
      from: readDistinct(from, columns, context.policy, offset),
      sources: [{ name, columns }],
      merged: [],
      build: scope.build,
    };
  }
  if (isGrouped) return resolveGrouped(select, name, freeSource(name, context), { ...scope, from }, offset);
  if (isWindowed) return resolveWindows(select, name, freeSource(name, context), { ...scope, from }, offset);
  return { from, sources: [{ name, columns: shownBy(select, scope) }], merged: [], build: scope.build };
}

function shownBy(select: SelectStmt, scope: Scope): readonly ScopeColumn[] {
  return (select.targetList ?? []).flatMap((target) =>
    shownColumns((target as { ResTarget: ResTarget }).ResTarget, scope),
  );
}

/** Refuses public rows that an outer join keeps, where the question around it could not tell their groups. Errors: query.unsupported. */
function keepsNoGroups({ from }: Scope, offset: number | undefined): void {
  if (keptSources(from) === null) return;
  refuse(
    "query.unsupported",
    "a subquery keeps public rows that match no unit's row, and so belong to no unit",
    "write the outer join into the question itself, and group by the public columns there",
    offset,
  );
}

function isCombined({ op }: SelectStmt): boolean {
  return op !== undefined && op !== "SETOP_NONE";
}

/** The rows of several SELECTs together: all of them, or the distinct ones of either, of both, or of the first alone. */
function resolveCombined(
  select: SelectStmt,
  name: string,
  outer: ReadonlyMap<string, Named>,
  context: FromContext,
  offset: number | undefined,
): Scope {
  for (const clause of Object.keys(select)) if (!combinedClauses.has(clause)) refuseClause(clause, offset);
  const known = new Map([...outer, ...namedIn(select.withClause, outer)]);
  const resolve = (part: SelectStmt): Scope => resolveSubquery(part, name, known, context, offset);
  const source = (): string => freeSource(name, context);
  const operation = setOperation(select, offset);
  if (operation === null) return resolveUnion(name, source(), unionParts(select).map(resolve), offset);
  const sides = [select.larg, select.rarg].map((side) => resolve(part(side))) as [Scope, Scope];
  const rows =
    operation === "union"
      ? resolveUnion(name, source(), sides, offset)
      : resolveOverlap(...sides, operation, source(), offset);
  return resolveGrouped(distinctOf(rows), name, source(), rows, offset);
}
