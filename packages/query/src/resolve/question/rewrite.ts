import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import type { FuncCall, Node, RangeVar, SelectStmt } from "@pgsql/types";
import { familyOf } from "../../aggregates/family-of.ts";
import { expressionBuilder } from "../../expressions/build/build-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { ParsedQuestion, StatedOption } from "../../parse/parsed-question.ts";
import { conjuncts } from "../../parse/tree/conditions.ts";
import type { QualifiedSelect } from "../../parse/tree/place-qualify.ts";
import { entryOf } from "../../policy/entry-of.ts";
import type { Policy } from "../../policy/policy.ts";
import { nearestName } from "../../refusals/did-you-mean.ts";
import { limitRows } from "../../relations/joined-rows/limit-rows.ts";
import { ownerOf, unitNames } from "../../relations/relation.ts";
import { writeFrom } from "../../relations/write-from.ts";
import { aggregateCall, resolveAggregate, writeAggregate } from "../aggregates/resolve-aggregate.ts";
import { resolvePair } from "../aggregates/resolve-pair.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { resolveFrom } from "../from/resolve-from.ts";
import { tableScope } from "../from/tables/resolve-table.ts";
import { aggregateNamed, computedForm } from "../names/aggregate-names.ts";
import { functionName, nodesOf } from "../names/nodes.ts";
import type { Aggregate } from "../names/resolved-query.ts";
import { resolveName, type Scope } from "../names/scope.ts";
import { groupingSets } from "./grouping-sets.ts";
import { histogramBuckets } from "./histogram-buckets.ts";
import { resolveOptions } from "./resolve-options.ts";
import { writeMostFrequent } from "./rewritten-mode.ts";

const maxShown = 10;
/** Rewrites longer than this help nobody. */
const maxLength = 2_000;

/** Returns the result of a try, or null where it is refused. */
function attempt<Value>(tried: () => Value): Value | null {
  try {
    return tried();
  } catch (error) {
    if (error instanceof LetheError) return null;
    throw error;
  }
}

/** Returns the names of all columns of the tables that a question names, in lower case. */
function columnsOf(select: SelectStmt, policy: Policy): ReadonlySet<string> {
  const names = Object.keys(policy.tables);
  const tables = [...nodesOf<RangeVar>("RangeVar", select)].flatMap(
    ({ relname = "" }) => resolveName(relname, names) ?? [],
  );
  return new Set(
    tables.flatMap((table) =>
      Object.keys(entryOf(policy.tables, table).columns).map((name) => name.toLowerCase()),
    ),
  );
}

/** Returns the scope of the first table that has a unit. */
function firstTable(select: SelectStmt, policy: Policy, written: ReadonlySet<string>): Scope | null {
  const known = Object.keys(policy.tables).filter(
    (name) => entryOf(policy.tables, name).unit.kind !== "public",
  );
  const scopeOf = (table: string, qualifier: string): Scope => ({
    ...tableScope(table, qualifier, null, policy, expressionBuilder()),
    forgiving: written,
  });
  for (const range of nodesOf<RangeVar>("RangeVar", select)) {
    const asked = range.relname ?? "";
    const table = resolveName(asked, known) ?? nearestName(asked, known);
    if (table !== null) return scopeOf(table, range.alias?.aliasname ?? table);
  }
  return known.length === 1 ? scopeOf(elementAt(known, 0), elementAt(known, 0)) : null;
}

/** Returns the scope of FROM as it was written, where all of it is accepted and consists of tables and joins alone. */
function wholeFrom(select: SelectStmt, policy: Policy, written: ReadonlySet<string>): Scope | null {
  const isPlain =
    !select.withClause &&
    select.fromClause?.length === 1 &&
    [...nodesOf("usingClause", select.fromClause)].length === 0 &&
    [...nodesOf("SelectStmt", select.fromClause)].length === 0;
  const resolved =
    isPlain &&
    attempt(() => {
      const from = resolveFrom({ ...select, whereClause: undefined as never }, policy, expressionBuilder());
      limitRows(from.scope.from, null, policy);
      return from;
    });
  return resolved && ownerOf(resolved.scope.from) !== "public"
    ? { ...resolved.scope, forgiving: written }
    : null;
}

/** Returns the leftmost plain SELECT: the first part of a UNION, or the SELECT of a CTE or subquery that asks the table. */
function plainSelect(select: SelectStmt): SelectStmt {
  if (select.larg) return plainSelect(select.larg);
  const inner = [select.withClause, select.fromClause].flatMap((clause) => [
    ...nodesOf<SelectStmt>("SelectStmt", clause),
  ]);
  const asked = inner.find((candidate) => candidate.fromClause && candidate.targetList);
  return asked ? plainSelect(asked) : select;
}

/** Returns the aggregate as it stands; null where it is not answered so. */
function asItStands(call: FuncCall, scope: Scope): string | null {
  if (call.over) return null;
  const frequent = attempt(() => writeMostFrequent(call, scope));
  if (frequent) return frequent;
  const aggregate = attempt(() => resolveAggregate(call, scope));
  if (aggregate) return isCounted(aggregate) ? null : planned(aggregate, scope);
  const name = functionName(call.funcname);
  const pair = computedForm(name) && attempt(() => resolvePair(call, scope));
  return pair ? `${name.toUpperCase()}(${pair.written.join(", ")})` : null;
}

/** Returns the aggregate without a window and DISTINCT, or AVG (MEDIAN for quantiles) of its argument where there is no such aggregate. */
function nearby(call: FuncCall, scope: Scope): string | null {
  const ofRows = { ...call, over: undefined as never };
  const asIs =
    asItStands(ofRows, scope) ?? asItStands({ ...ofRows, agg_distinct: undefined as never }, scope);
  if (asIs !== null) return asIs;
  const name = functionName(call.funcname);
  const argument = call.agg_within_group ? orderedValue(call) : call.args?.[0];
  const truth = argument && attempt(() => truthCount(call, argument, scope));
  if (truth) return truth;
  const reads = aggregateNamed(name)?.form.reads;
  const plainName = reads === "rows" ? "count" : reads === "share" ? "median" : "avg";
  const plain: FuncCall = { funcname: [{ String: { sval: plainName } }], args: argument ? [argument] : [] };
  const average = argument && attempt(() => resolveAggregate(plain, scope));
  return average ? planned(average, scope) : null;
}

/** Writes an aggregate that the planner accepts. Where bounds are missing, they are learned; a quantile becomes a count. */
function planned(aggregate: Aggregate, scope: Scope): string {
  if (!("bounds" in aggregate) || !lacksBounds(aggregate)) return writeAggregate(aggregate, scope);
  if (!learnsBounds(aggregate)) return `COUNT(${writeSql(aggregate.argument)})`;
  return writeAggregate({ ...aggregate, bounds: { per: "auto" } }, scope);
}

/** Whether an aggregate becomes a count: its bounds are missing, and none are learned for it. */
function isCounted(aggregate: Aggregate): boolean {
  return lacksBounds(aggregate) && !learnsBounds(aggregate);
}

function lacksBounds(aggregate: Aggregate): boolean {
  if (!("bounds" in aggregate) || aggregate.bounds !== null) return false;
  const { domain } = aggregate.argument;
  return domain.type !== "number" || domain.bounds === null;
}

/** An aggregate whose bounds may be asked to be learned. */
type Learning<A = Aggregate> = A extends { readonly bounds: infer B }
  ? { readonly per: "auto" } extends B
    ? A
    : never
  : never;

function learnsBounds(aggregate: Aggregate): aggregate is Learning {
  return familyOf(aggregate).bounds.learned;
}

function orderedValue({ agg_order = [] }: FuncCall): Node | undefined {
  const [first] = agg_order;
  return first && "SortBy" in first ? first.SortBy.node : undefined;
}

/** Writes a COUNT of the rows where the argument is true (BOOL_OR), or of those where it is false (BOOL_AND, EVERY). */
function truthCount(call: FuncCall, argument: Node, scope: Scope): string | null {
  const name = functionName(call.funcname);
  if (!["bool_or", "bool_and", "every"].includes(name)) return null;
  const condition = resolveExpression(argument, scope);
  const told = name === "bool_or" ? condition : scope.build.call("not", [condition]);
  const counted = call.agg_filter
    ? scope.build.call("and", [resolveExpression(call.agg_filter, scope), told])
    : told;
  return `COUNT(*) FILTER (WHERE ${writeSql(counted)})`;
}

/** Returns the keys of all groupings, each once. */
function groupedBy({ groupClause }: SelectStmt): readonly Node[] {
  return [...new Set(attempt(() => groupingSets(groupClause))?.flat())];
}

function acceptableKey(node: Node, scope: Scope): string | null {
  const key = attempt(() => resolveExpression(node, scope));
  return key && key.kind !== "literal" ? writeSql(key) : null;
}

function writeOptions(all: readonly StatedOption[], scope: Scope): string {
  const options = all.filter(
    ({ name, kind }) => kind !== "null" && !(name === "privacy_unit_column" && kind === "name"),
  );
  if (options.length === 0 || !attempt(() => resolveOptions(options, unitNames(scope.from)))) return "";
  const list = options.map(
    ({ name, kind, value }) => `${name} = ${kind === "text" ? `'${value.replaceAll("'", "''")}'` : value}`,
  );
  return `WITH DIFFERENTIAL_PRIVACY OPTIONS(${list.join(", ")}) `;
}

/** A question that is accepted, and in what it differs from the one that was refused: nothing where it asks the same. */
export interface Rewrite {
  readonly sql: string;
  readonly differs: readonly string[];
}

/**
 * Suggests a question near the one that was refused. It keeps the aggregates, groups and conditions that can be kept, over all tables where their joins are accepted, else over
 * one. `isAccepted` is asked of each try. Null where no table can be told, the suggestion would be too long to read, or none is accepted.
 */
export function suggestRewrite(
  parsed: ParsedQuestion,
  policy: Policy,
  isAccepted: (sql: string) => boolean,
): Rewrite | null {
  const select = plainSelect(parsed.select);
  const written = columnsOf(parsed.select, policy);
  const whole = wholeFrom(select, policy, written);
  const single = firstTable(select, policy, written) ?? firstTable(parsed.select, policy, written);
  for (const scope of [whole, single]) {
    if (!scope) continue;
    for (const conditions of [conjuncts(select.whereClause), []]) {
      const rewrite = rewrittenOver(scope, { parsed, select, conditions, isWhole: scope === whole });
      if (rewrite.sql.length > maxLength) return null;
      if (isAccepted(rewrite.sql)) return rewrite;
    }
  }
  return null;
}

/** A SELECT to be written over a scope, and the conditions that are tried. */
interface Tried {
  readonly parsed: ParsedQuestion;
  readonly select: QualifiedSelect;
  readonly conditions: readonly Node[];
  readonly isWhole: boolean;
}

function rewrittenOver(scope: Scope, { parsed, select, conditions: tried, isWhole }: Tried): Rewrite {
  const { aggregates, keys, differs } = listed(select, scope);
  for (const node of groupedBy(select)) {
    const key = acceptableKey(node, scope);
    if (key !== null) keys.add(key);
    else if (!namesTarget(node, select)) differs.add("without a key of its GROUP BY");
  }
  if (aggregates.size === 0) {
    aggregates.add("COUNT(*)");
    differs.add(
      select.groupClause || keys.size === 0 ? "with COUNT(*)" : "with COUNT(*) in the place of rows",
    );
  }
  const conditions = tried.flatMap((node) => {
    const condition = attempt(() => resolveExpression(node, scope));
    return condition?.domain.type === "boolean" && !equatesItself(condition) ? [condition] : [];
  });
  const written = conjuncts(select.whereClause);
  const lost = written.length - conditions.length;
  if (lost > 0)
    differs.add(lost === written.length ? "without its WHERE" : `without ${lost} of its conditions`);
  const shownKeys = [...keys].slice(0, maxShown);
  const shownAggregates = [...aggregates].slice(0, maxShown);
  if (shownKeys.length < keys.size || shownAggregates.length < aggregates.size)
    differs.add("with the first columns alone");
  const options = writeOptions(parsed.options, scope);
  const where = conditions.length > 0 ? whereOf(conditions, scope) : "";
  const sql = [
    `SELECT ${options}${[...shownKeys, ...shownAggregates].join(", ")} FROM ${writeFrom(scope.from)}`,
    where,
    shownKeys.length > 0 ? ` GROUP BY ${shownKeys.join(", ")}` : "",
  ].join("");
  const left = [
    ...(select === parsed.select ? [] : ["without the SELECT around it"]),
    ...(isWhole || readsOneTable(select) ? [] : [`of ${writeFrom(scope.from)} alone`]),
    ...differs,
    ...(options === "" && parsed.options.length > 0 ? ["without its OPTIONS"] : []),
    ...clausesLeftOut(select),
  ];
  return { sql, differs: left };
}

/** Whether a condition says that something equals itself: one of its columns was another table's. */
function equatesItself(condition: Expression): boolean {
  if (condition.kind !== "call" || condition.operator !== "=") return false;
  const [left, right] = condition.args.map(writeSql);
  return left === right;
}

interface Listed {
  readonly aggregates: Set<string>;
  readonly keys: Set<string>;
  readonly differs: Set<string>;
}

/** Returns what a list asks for, as far as it is accepted. */
function listed(select: SelectStmt, scope: Scope): Listed {
  const [aggregates, keys, differs] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const targets = [...nodesOf<{ val?: Node }>("ResTarget", select.targetList)];
  for (const { val: target } of targets) {
    if (!target) continue;
    const calls = [...nodesOf<FuncCall>("FuncCall", target)].filter((call) =>
      aggregateCall({ FuncCall: call }),
    );
    for (const call of calls) {
      const buckets = attempt(() => histogramBuckets(call, scope));
      if (buckets) {
        keys.add(buckets);
        aggregates.add("COUNT(*)");
        continue;
      }
      const same = asItStands(call, scope);
      const sql = same ?? nearby(call, scope);
      if (sql !== null) aggregates.add(sql);
      const name = calledName(call);
      if (same === null)
        differs.add(sql === null ? `without ${name}` : `with ${sql} in the place of ${name}`);
    }
    if (calls.length > 0) {
      const isOne = "FuncCall" in target && calls[0] === target.FuncCall;
      if (!isOne) differs.add("without what is computed of its aggregates");
      continue;
    }
    const key = acceptableKey(target, scope);
    if (key !== null) keys.add(key);
    else if (!("A_Const" in target) && !isStar(target)) differs.add("without a column of its list");
  }
  return { aggregates, keys, differs };
}

function calledName({ funcname, over, agg_distinct }: FuncCall): string {
  const name = functionName(funcname).toUpperCase();
  return over ? `${name} over a window` : agg_distinct ? `${name} of distinct values` : name;
}

/** Whether a key is the place or the name of a column of the list, which has been looked at. */
function namesTarget(node: Node, { targetList }: SelectStmt): boolean {
  if ("A_Const" in node) return true;
  const [field, ...others] = ("ColumnRef" in node && node.ColumnRef.fields) || [];
  if (!field || others.length > 0 || !("String" in field)) return false;
  const asked = field.String.sval;
  return [...nodesOf<{ name?: string }>("ResTarget", targetList)].some(({ name }) => name === asked);
}

/** Whether FROM says one table at most, which may be misspelt. */
function readsOneTable({ fromClause: [first, ...others] = [] }: SelectStmt): boolean {
  return others.length === 0 && (first === undefined || "RangeVar" in first);
}

function isStar(node: Node): boolean {
  return "ColumnRef" in node && node.ColumnRef.fields?.some((field) => "A_Star" in field) === true;
}

function whereOf([first, ...others]: readonly Expression[], { build }: Scope): string {
  if (first === undefined) return "";
  return ` WHERE ${writeSql(others.reduce((all, next) => build.call("and", [all, next]), first))}`;
}

/** Returns what a rewrite never has: it is asked of released rows, which any program can do afterwards. */
function clausesLeftOut(select: QualifiedSelect): readonly string[] {
  const sets = [...nodesOf("GroupingSet", select.groupClause)];
  return [
    ...(sets.length > 0 ? ["by all its keys at once"] : []),
    ...(select.havingClause ? ["without its HAVING"] : []),
    ...(select.qualifyClause ? ["without its QUALIFY"] : []),
    ...(select.limitCount ? ["without its LIMIT"] : select.limitOffset ? ["without its OFFSET"] : []),
  ];
}
