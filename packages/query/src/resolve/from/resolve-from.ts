import { elementAt } from "@lethe/core/numeric";
import type { Alias, JoinExpr, Node, RangeVar, ResTarget, SelectStmt } from "@pgsql/types";
import type { ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import { demandCondition } from "../../expressions/build/demand-possible.ts";
import { allOf, conjuncts } from "../../parse/conditions.ts";
import type { Policy } from "../../policy/policy.ts";
import { refuse } from "../../refusals/refuse.ts";
import { type JoinRelation, keptSources, ownerOf } from "../../relations/relation.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { nodesOf, offsetOf, offsetWithin, part } from "../names/nodes.ts";
import { fieldNames, resolveName, type Scope, type ScopeColumn } from "../names/scope.ts";
import { checkSubquery, groupingClauses, refuseClause } from "../names/subquery-clauses.ts";
import { aggregates, resolveGrouped } from "../per-unit/resolve-grouped.ts";
import { asksWindows, resolveWindows } from "../per-unit/resolve-windows.ts";
import { shownColumns } from "../per-unit/shown-columns.ts";
import { equatedColumns, isOf, resolveJoin } from "./resolve-join.ts";
import { asksSubquery, type InnerQuery, resolveSemijoin } from "./resolve-semijoin.ts";
import { type Named, namedIn, subqueryNamed } from "./tables/named-subqueries.ts";
import { isView, viewsOf, withinView } from "./tables/policy-views.ts";
import { readDistinct, showsDistinct } from "./tables/read-distinct.ts";
import { tableNamed, tableScope } from "./tables/resolve-table.ts";
import { resolveUnion, unionParts } from "./tables/resolve-union.ts";
import { resolveFunction, resolveValues } from "./tables/written-list.ts";

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
  const context: FromContext = { policy, build, sources: new Set(), views };
  const own = namedIn(select.withClause, views);
  const named = new Map([...views, ...own]);
  const [only, ...more] = select.fromClause ?? [];
  const isAlone =
    only && "RangeVar" in only && more.length === 0 && subqueryNamed(only.RangeVar, named) === null;
  const resolved =
    isAlone && !conjuncts(select.whereClause).some(asksSubquery)
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
  context: FromContext,
): ResolvedFrom {
  const [first, ...others] = select.fromClause ?? [];
  if (!first) {
    const known = Object.keys(context.policy.tables).slice(0, 12).join(", ");
    refuse("query.unsupported", "the question names no table", `ask FROM one of: ${known}`);
  }
  let scope = resolveItem(first, named, context);
  let conditions = conjuncts(select.whereClause);
  for (const item of others) {
    const right = resolveItem(item, named, context);
    const left = scope;
    const moved = conditions.filter((condition) => isBetween(condition, left, right));
    const offset = offsetWithin(item);
    scope = resolveJoin({ type: "inner", left, right, conditions: moved, using: [], offset }, context.policy);
    conditions = conditions.filter((condition) => !moved.includes(condition));
  }
  const asked = conditions.filter(asksSubquery);
  if (others.length === 0 && asked.length === 0) return { scope, where: select.whereClause };
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
  return {
    scope: asked.reduce((kept, node) => resolveSemijoin(node, kept, inner), scope),
    where,
  };
}

/** Resolves FROM of a subquery in a condition and returns its list. The caller, which knows the rows around it, resolves its WHERE. */
function resolveInner(
  select: SelectStmt,
  named: ReadonlyMap<string, Named>,
  context: FromContext,
  offset: number | undefined,
): ResolvedFrom & { readonly list: readonly Node[] } {
  checkSubquery(select, offset);
  const { scope, where } = resolveItems(select, named, context);
  keepsNoGroups(scope, offset);
  const list = (select.targetList ?? []).flatMap((target) => {
    const { val } = (target as { ResTarget: ResTarget }).ResTarget;
    return val ? [val] : [];
  });
  return { scope, where, list };
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
    keepsNames(range.alias, range.location);
    const name = range.alias?.aliasname ?? range.relname!;
    const resolve = (): Scope =>
      resolveSubquery(subquery.select, name, subquery.known, context, range.location);
    return isView(subquery) ? withinView(subquery, range.location, resolve) : resolve();
  }
  if ("JoinExpr" in node) return resolveWrittenJoin(node.JoinExpr, named, context, offsetWithin(node));
  if ("RangeSubselect" in node) {
    const { subquery, alias, lateral } = node.RangeSubselect;
    const offset = offsetWithin(node);
    if (lateral)
      refuse("query.unsupported", "LATERAL is not answered", "join on a condition instead", offset);
    const values = subquery && "SelectStmt" in subquery && subquery.SelectStmt.valuesLists;
    if (values) {
      const name = alias?.aliasname ?? "values";
      const listed = { ...alias, aliasname: name };
      return resolveValues(subquery.SelectStmt, listed, freeSource(name, context), context.build, offset);
    }
    keepsNames(alias, offset);
    const select = subquery && "SelectStmt" in subquery ? subquery.SelectStmt : {};
    return resolveSubquery(select, alias?.aliasname ?? "subquery", named, context, offset);
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

function keepsNames(alias: Alias | undefined, offset: number | undefined): void {
  if (alias?.colnames)
    refuse(
      "query.unsupported",
      "FROM cannot rename columns",
      "rename them inside the subquery: SELECT x AS y",
      offset,
    );
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
  const left = resolveItem(part(join.larg), named, context);
  const right = resolveItem(part(join.rarg), named, context);
  const type = joinTypes[join.jointype ?? "JOIN_INNER"];
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

function sharedNames(left: Scope, right: Scope): string {
  const known = right.sources.flatMap(({ columns }) => columns.map(({ name }) => name));
  const shared = left.sources.flatMap(({ columns }) =>
    columns.filter(({ name }) => resolveName(name, known) !== null),
  );
  return shared.map(({ name }) => name).join(", ") || "a_column";
}

/** The clauses that may stand around the parts of a UNION ALL. Each part may have a WITH of its own. */
const unionClauses: ReadonlySet<string> = new Set(["withClause", "op", "all", "larg", "rarg", "limitOption"]);

function resolveSubquery(
  select: SelectStmt,
  name: string,
  outer: ReadonlyMap<string, Named>,
  context: FromContext,
  offset: number | undefined,
): Scope {
  if (select.valuesLists)
    return resolveValues(select, { aliasname: name }, freeSource(name, context), context.build, offset);
  const parts = unionParts(select, offset);
  if (parts.length > 1) {
    for (const clause of Object.keys(select)) if (!unionClauses.has(clause)) refuseClause(clause, offset);
    const known = new Map([...outer, ...namedIn(select.withClause, outer)]);
    const resolved = parts.map((part) => resolveSubquery(part, name, known, context, offset));
    return resolveUnion(name, freeSource(name, context), resolved, offset);
  }
  const isGrouped = aggregates(select);
  const isWindowed = !isGrouped && asksWindows(select);
  checkSubquery(select, offset, isGrouped ? groupingClauses : isWindowed ? ["windowClause"] : []);
  const own = namedIn(select.withClause, outer);
  const { scope, where } = resolveItems(select, new Map([...outer, ...own]), context);
  keepsNoGroups(scope, offset);
  let { from } = scope;
  if (where) {
    const condition = resolveExpression(where, scope);
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
