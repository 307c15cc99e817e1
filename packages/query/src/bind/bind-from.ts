import type { Alias, JoinExpr, Node, RangeVar, ResTarget, SelectStmt } from "@pgsql/types";
import type { Policy } from "../policy/policy.ts";
import { bindExpression } from "./bind-expression.ts";
import { aggregates, bindGrouped } from "./bind-grouped.ts";
import { bindJoin, conjuncts, equatedColumns, isOf } from "./bind-join.ts";
import { asksSubquery, bindSemijoin, type InnerQuery } from "./bind-semijoin.ts";
import { tableNamed, tableScope } from "./bind-table.ts";
import { bindUnion, unionParts } from "./bind-union.ts";
import { asksWindows, bindWindows } from "./bind-windows.ts";
import type { ExpressionBuilder } from "./build-expression.ts";
import { demandCondition } from "./demand-possible.ts";
import { type Named, namedIn, subqueryNamed } from "./named-subqueries.ts";
import { nodesOf, offsetOf, offsetWithin } from "./nodes.ts";
import { isView, viewsOf, withinView } from "./policy-views.ts";
import { refuse } from "./refuse.ts";
import type { JoinRelation } from "./relation.ts";
import { fieldNames, resolveName, type Scope, type ScopeColumn } from "./scope.ts";
import { shownColumns } from "./shown-columns.ts";
import { checkSubquery, groupingClauses, refuseClause } from "./subquery-clauses.ts";

/** The most tables of one question. More would help no question, and each is read. */
const maxTables = 16;

/** The rows a SELECT is about, and what is left of its WHERE. */
export interface BoundFrom {
  readonly scope: Scope;
  readonly where: Node | undefined;
}

interface Binding {
  readonly policy: Policy;
  readonly build: ExpressionBuilder;
  /** Names of sources in use, in lower case. */
  readonly sources: Set<string>;
  readonly views: ReadonlyMap<string, Named>;
}

/**
 * Binds FROM and WITH: tables of the policy, joined, and subqueries that show, filter and join. Errors: query.unsupported,
 * query.unknown-table, query.unknown-column, query.too-large, each with a form that is accepted.
 */
export function bindFrom(
  select: SelectStmt,
  policy: Policy,
  build: ExpressionBuilder,
): BoundFrom & { readonly views: readonly string[] } {
  const views = viewsOf(policy);
  const binding: Binding = { policy, build, sources: new Set(), views };
  const own = namedIn(select.withClause, views);
  const named = new Map([...views, ...own]);
  const [only, ...more] = select.fromClause ?? [];
  const isAlone =
    only && "RangeVar" in only && more.length === 0 && subqueryNamed(only.RangeVar, named) === null;
  const bound =
    isAlone && !conjuncts(select.whereClause).some(asksSubquery)
      ? { scope: aloneScope(only.RangeVar, binding), where: select.whereClause }
      : bindItems(select, named, binding);
  for (const [name, subquery] of own)
    if (!subquery.read)
      refuse("query.unsupported", `WITH ${name} is never read`, "remove it", select.withClause?.location);
  const read = [...views.values()].filter((view) => view.read).map(({ view }) => view);
  return { ...bound, views: read };
}

function aloneScope(range: RangeVar, { policy, build }: Binding): Scope {
  const table = tableNamed(range, policy);
  return tableScope(table, range.alias?.aliasname ?? table, null, policy, build);
}

/** FROM a, b: a join whose conditions stand in WHERE. */
function bindItems(select: SelectStmt, named: ReadonlyMap<string, Named>, binding: Binding): BoundFrom {
  const [first, ...others] = select.fromClause ?? [];
  if (!first) {
    const known = Object.keys(binding.policy.tables).slice(0, 12).join(", ");
    refuse("query.unsupported", "the question names no table", `ask FROM one of: ${known}`);
  }
  let scope = bindItem(first, named, binding);
  let conditions = conjuncts(select.whereClause);
  for (const item of others) {
    const right = bindItem(item, named, binding);
    const left = scope;
    const moved = conditions.filter((condition) => isBetween(condition, left, right));
    const offset = offsetWithin(item);
    scope = bindJoin({ type: "inner", left, right, conditions: moved, using: [], offset }, binding.policy);
    conditions = conditions.filter((condition) => !moved.includes(condition));
  }
  const asked = conditions.filter(asksSubquery);
  if (others.length === 0 && asked.length === 0) return { scope, where: select.whereClause };
  const rest = conditions.filter((condition) => !asked.includes(condition));
  const [one] = rest;
  const where = rest.length > 1 ? allOf(rest) : one;
  const inner: InnerQuery = (subselect, offset) => bindInner(subselect, named, binding, offset);
  return {
    scope: asked.reduce((kept, node) => bindSemijoin(node, kept, inner), scope),
    where,
  };
}

/** Binds FROM of a subquery in a condition and returns its list. The caller, which knows the rows around it, binds its WHERE. */
function bindInner(
  select: SelectStmt,
  named: ReadonlyMap<string, Named>,
  binding: Binding,
  offset: number | undefined,
): BoundFrom & { readonly list: readonly Node[] } {
  checkSubquery(select, offset);
  const { scope, where } = bindItems(select, named, binding);
  const list = (select.targetList ?? []).flatMap((target) => {
    const { val } = (target as { ResTarget: ResTarget }).ResTarget;
    return val ? [val] : [];
  });
  return { scope, where, list };
}

function allOf(args: readonly Node[]): Node {
  return { BoolExpr: { boolop: "AND_EXPR", args: [...args] } };
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
    .filter((source) => parts.length === 1 || resolveName(parts[0]!, [source.name]) !== null)
    .reduce((total, { columns }) => total + among(columns), 0);
}

const forms: Readonly<Record<string, string>> = {
  RangeFunction: "a function in FROM",
  RangeTableSample: "TABLESAMPLE",
  RangeTableFunc: "XMLTABLE",
  JsonTable: "JSON_TABLE",
};

function bindItem(node: Node, named: ReadonlyMap<string, Named>, binding: Binding): Scope {
  if ("RangeVar" in node) {
    const range = node.RangeVar;
    const subquery = subqueryNamed(range, named);
    if (!subquery) return sourceScope(range, binding);
    subquery.read = true;
    keepsNames(range.alias, range.location);
    const name = range.alias?.aliasname ?? range.relname!;
    const bind = (): Scope => bindSubquery(subquery.select, name, subquery.known, binding, range.location);
    return isView(subquery) ? withinView(subquery, range.location, bind) : bind();
  }
  if ("JoinExpr" in node) return bindWrittenJoin(node.JoinExpr, named, binding, offsetWithin(node));
  if ("RangeSubselect" in node) {
    const { subquery, alias, lateral } = node.RangeSubselect;
    const offset = offsetWithin(node);
    if (lateral)
      refuse("query.unsupported", "LATERAL is not answered", "join on a condition instead", offset);
    keepsNames(alias, offset);
    const select = subquery && "SelectStmt" in subquery ? subquery.SelectStmt : {};
    return bindSubquery(select, alias?.aliasname ?? "subquery", named, binding, offset);
  }
  return refuse(
    "query.unsupported",
    `${forms[Object.keys(node)[0]!] ?? "this form of FROM"} is not answered`,
    "ask tables of the policy",
    offsetWithin(node),
  );
}

function keepsNames(alias: Alias | undefined, offset: number | undefined): void {
  if (alias?.colnames)
    refuse("query.unsupported", "columns keep their names", "name them inside: SELECT x AS y", offset);
}

function sourceScope(range: RangeVar, binding: Binding): Scope {
  const { policy, build, sources } = binding;
  const table = tableNamed(range, policy);
  if (sources.size >= maxTables)
    refuse(
      "query.too-large",
      `the question reads more than ${maxTables} tables`,
      "ask several questions",
      range.location,
    );
  const qualifier = range.alias?.aliasname ?? table;
  return tableScope(table, qualifier, freeSource(qualifier, binding), policy, build);
}

/** A name that no other source of the question has. */
function freeSource(qualifier: string, { sources }: Binding): string {
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

function bindWrittenJoin(
  join: JoinExpr,
  named: ReadonlyMap<string, Named>,
  binding: Binding,
  offset: number | undefined,
): Scope {
  const left = bindItem(join.larg!, named, binding);
  const right = bindItem(join.rarg!, named, binding);
  const type = joinTypes[join.jointype ?? "JOIN_INNER"];
  if (join.isNatural)
    refuse(
      "query.unsupported",
      "NATURAL joins on whatever names agree",
      `write JOIN … USING (${sharedNames(left, right)})`,
      offset,
    );
  if (!type || join.alias || join.join_using_alias)
    refuse("query.unsupported", "a join has no name of its own", "name the tables: a JOIN b ON …", offset);
  const using = (join.usingClause ?? []).map((name) => ("String" in name ? (name.String.sval ?? "") : ""));
  return bindJoin({ type, left, right, conditions: conjuncts(join.quals), using, offset }, binding.policy);
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

function bindSubquery(
  select: SelectStmt,
  name: string,
  outer: ReadonlyMap<string, Named>,
  binding: Binding,
  offset: number | undefined,
): Scope {
  const parts = unionParts(select, offset);
  if (parts.length > 1) {
    for (const clause of Object.keys(select)) if (!unionClauses.has(clause)) refuseClause(clause, offset);
    const known = new Map([...outer, ...namedIn(select.withClause, outer)]);
    const bound = parts.map((part) => bindSubquery(part, name, known, binding, offset));
    return bindUnion(name, freeSource(name, binding), bound, offset);
  }
  const isGrouped = aggregates(select);
  const isWindowed = !isGrouped && asksWindows(select);
  checkSubquery(select, offset, isGrouped ? groupingClauses : isWindowed ? ["windowClause"] : []);
  const own = namedIn(select.withClause, outer);
  const { scope, where } = bindItems(select, new Map([...outer, ...own]), binding);
  let { from } = scope;
  if (where) {
    const condition = bindExpression(where, scope);
    demandCondition(condition, offsetOf(where) ?? offset);
    from = { kind: "filter", of: from, where: condition };
  }
  if (isGrouped) return bindGrouped(select, name, freeSource(name, binding), { ...scope, from }, offset);
  if (isWindowed) return bindWindows(select, name, freeSource(name, binding), { ...scope, from }, offset);
  const columns = (select.targetList ?? []).flatMap((target) =>
    shownColumns((target as { ResTarget: ResTarget }).ResTarget, scope),
  );
  return { from, sources: [{ name, columns }], merged: [], build: scope.build };
}
