import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import type { A_Const, FuncCall, Node, RangeVar, SelectStmt } from "@pgsql/types";
import { expressionBuilder } from "../../expressions/build/build-expression.ts";
import { demandCondition, demandKnownWords } from "../../expressions/build/demand-possible.ts";
import { type ColumnExpression, children, columnId, type Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { parseAgain } from "../../parse/parse-question.ts";
import type { ParsedQuestion } from "../../parse/parsed-question.ts";
import { writtenBrackets } from "../../parse/written-brackets.ts";
import type { Policy } from "../../policy/policy.ts";
import { byName } from "../../refusals/by-name.ts";
import { refuse } from "../../refusals/refuse.ts";
import { limitQuestion } from "../../relations/joined-rows/fence-conditions.ts";
import { everyTrue } from "../../relations/joined-rows/join-graph.ts";
import {
  conditionsOf,
  keptSources,
  ownerOf,
  type Relation,
  sourcesRead,
  type TableRelation,
  tablesOf,
  unitNames,
} from "../../relations/relation.ts";
import { aggregateCall } from "../aggregates/resolve-aggregate.ts";
import { resolveCondition } from "../conditions/resolve-condition.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { resolveFrom } from "../from/resolve-from.ts";
import { publicTableNamed } from "../from/tables/resolve-table.ts";
import { computedForm } from "../names/aggregate-names.ts";
import { countOfRows, distinctGroups } from "../names/distinct-groups.ts";
import { groupByAll } from "../names/group-by-all.ts";
import { functionName, nodesOf, offsetOf, ownCalls } from "../names/nodes.ts";
import type { NamedKey, OutputColumn, PostExpression, ResolvedQuery } from "../names/resolved-query.ts";
import { columnReference, findColumn, hasColumn, resolveName, type Scope } from "../names/scope.ts";
import { type Target, targetsOf } from "../names/targets.ts";
import { resolveOver } from "../over/resolve-over.ts";
import type { TypedPost } from "../post/post-call.ts";
import { postSize } from "../post/post-parts.ts";
import { demandReleasedWords } from "../post/released-conditions.ts";
import { otherCall } from "../post/resolve-grouping.ts";
import { type PostScope, resolvePost } from "../post/resolve-post.ts";
import { postOf, resolvePostProcessing } from "../post/resolve-post-processing.ts";
import { aggregateList } from "./aggregate-list.ts";
import { checkClauses } from "./check-clauses.ts";
import { checkTotals } from "./check-totals.ts";
import { checkIntervalEnds, intervalEnd } from "./interval-end.ts";
import { resolveKeys } from "./resolve-keys.ts";
import { resolveOptions } from "./resolve-options.ts";
import { type Rewrite, suggestRewrite } from "./rewrite.ts";

const maxCost = 500_000;

function holdsAggregate(node: Node): boolean {
  for (const call of ownCalls(node)) if (aggregateCall({ FuncCall: call })) return true;
  return false;
}

function holdsGrouping(node: Node): boolean {
  if ([...nodesOf("GroupingFunc", node)].length > 0) return true;
  return [...nodesOf<FuncCall>("FuncCall", node)].some((call) => otherCall({ FuncCall: call }));
}

function resolveOutput(target: Target, scope: PostScope): OutputColumn {
  const { name, node, offset } = target;
  const call = aggregateCall(node);
  if (call && !call.over && !computedForm(functionName(call.funcname)))
    return { name, kind: "aggregate", aggregate: scope.measure(call) };
  if (holdsAggregate(node) || holdsGrouping(node)) return computed(target, resolvePost(node, scope));
  const resolved = resolveExpression(node, scope);
  const sql = writeSql(resolved);
  if (scope.keys.some((key) => key.name === sql)) return { name, kind: "key", key: sql };
  const ofKeys = scope.keys.length > 0 || resolved.kind === "literal" ? computedOfKeys(node, scope) : null;
  if (ofKeys) return computed(target, ofKeys);
  return refuse(
    "query.unsupported",
    `${sql} is neither grouped by nor inside an aggregate`,
    `add GROUP BY ${sql}`,
    offset,
  );
}

/** A column that is computed from released ones: post-processing, at no price of its own. */
function computed({ name, offset }: Target, { expression, type }: TypedPost): OutputColumn {
  if (type === "null")
    refuse("query.unsupported", `the column ${JSON.stringify(name)} is always NULL`, "remove it", offset);
  return { name, kind: "computed", type, expression };
}

/** Resolves an expression over keys alone; null where it reads a column that is not grouped by. */
function computedOfKeys(node: Node, scope: PostScope): TypedPost | null {
  try {
    return resolvePost(node, scope);
  } catch (error) {
    if (error instanceof LetheError && error.code !== "query.too-large") return null;
    throw error;
  }
}

function resolve(parsed: ParsedQuestion, policy: Policy): ResolvedQuery {
  const { text, parameters, today } = parsed;
  const select = groupByAll(parsed.select, (node) => holdsAggregate(node) || holdsGrouping(node));
  const { scope, where: stated, views } = resolveFrom(select, policy, expressionBuilder());
  checkPrivate(scope.from);
  const options = resolveOptions(parsed.options, unitNames(scope.from), (parts, location) =>
    namesUnitOf(parts, location, scope),
  );
  const asked = stated ? resolveCondition(stated, scope) : null;
  if (asked && stated) demandCondition(asked, offsetOf(stated));
  const { from, where } = limitQuestion(
    { from: scope.from, where: asked },
    policy,
    (conditions) => conditions.reduce((one, other) => scope.build.call("and", [one, other])),
    (table) => placeOfTable(table, select),
  );
  const targets = targetsOf(select);
  const { keys, groupings } = resolveKeys(select, targets, scope);
  demandKeptGroups(from, where, keys);
  const isTotalled = groupings.length > 1 || elementAt(groupings, 0).length < keys.length;
  const { all, measure, measured, typeOf } = aggregateList(scope);
  const released = { ...scope, keys, isTotalled, measure, measured, typeOf, aliasFirst: false };
  // A column of the select list cannot name another.
  const selected: PostScope = { ...released, clause: "the select list", alias: () => null };
  const outputs = targets.map((target) => intervalEnd(target, targets) ?? resolveOutput(target, selected));
  checkIntervalEnds(outputs, targets);
  const postScope: PostScope = {
    ...released,
    clause: "HAVING",
    alias: (name) => {
      const found = resolveName(
        name,
        targets.map((target) => target.name),
      );
      return found === null
        ? null
        : typedOutput(
            elementAt(
              outputs,
              targets.findIndex((target) => target.name === found),
            ),
            keys,
            typeOf,
          );
    },
  };
  const post = resolvePostProcessing(select, targets, outputs, postScope);
  if (all().length === 0 && keys.length > 0) measure(countOfRows);
  const aggregates = all();
  if (aggregates.length === 0)
    refuse("query.unsupported", "the question asks for no aggregate", "add COUNT(*) to the select list");
  if (isTotalled) checkTotals(groupings, keys, aggregates);
  const read = [
    ...conditionsOf(from),
    where,
    ...keys.map(({ expression }) => expression),
    ...aggregates.flatMap((aggregate) => [
      "argument" in aggregate ? aggregate.argument : null,
      "other" in aggregate ? aggregate.other : null,
    ]),
  ].filter((expression) => expression !== null);
  checkCost(read, scope);
  const placeOf = (word: string): number | undefined => placeOfWord(word, select);
  for (const expression of read) demandKnownWords(expression, placeOf);
  for (const expression of [...outputs.flatMap(computedOf), post.having ?? []].flat())
    demandReleasedWords(expression, { keys, isTotalled }, placeOf);
  const together = isTotalled ? { groupings } : {};
  return {
    text,
    parameters,
    from,
    where,
    groupBy: keys,
    ...together,
    aggregates,
    outputs,
    post,
    options,
    ...(today === undefined ? {} : { today }),
    ...(views.length === 0 ? {} : { views }),
  };
}

function namesUnitOf(parts: readonly string[], location: number, scope: Scope): boolean {
  try {
    return findColumn(columnReference(parts, location), scope).namesUnit;
  } catch (error) {
    // A name of no column, or of several, names no unit.
    if (error instanceof LetheError) return false;
    throw error;
  }
}

function typedOutput(
  output: OutputColumn,
  keys: readonly NamedKey[],
  typeOf: PostScope["typeOf"],
): TypedPost {
  const expression = postOf(output);
  const type =
    output.kind === "key"
      ? byName(keys, output.key).expression.domain.type
      : output.kind === "computed"
        ? output.type
        : output.kind === "aggregate"
          ? typeOf(output.aggregate)
          : "number";
  return { expression, type, size: postSize(expression) };
}

/** Returns the place (UTF-16 index) where a question first names a table by its alias, else by its own name. */
function placeOfTable(
  { table, source }: Pick<TableRelation, "table" | "source">,
  select: SelectStmt,
): number | undefined {
  const named = [...nodesOf<RangeVar>("RangeVar", select)].filter(({ relname = "" }) =>
    resolveName(relname, [table]),
  );
  const same = named.find(({ alias, relname }) => (alias?.aliasname ?? relname) === source);
  return (same ?? named[0])?.location;
}

function checkPrivate(from: Relation): void {
  if (ownerOf(from) !== "public") return;
  const names = tablesOf(from).map(({ table }) => table);
  refuse(
    "query.unsupported",
    names.length === 0
      ? "the question asks for no rows but those that it writes out"
      : `${names.join(", ")} ${names.length > 1 ? "are" : "is"} public: there is nothing to protect`,
    "state no price and no options: a question of public tables alone is answered exactly, for nothing; or join a table that has a unit",
  );
}

/**
 * Where an outer join keeps public rows, checks that groups and WHERE tell of these alone, so that the groups that are answered are those of the policy and the text, whatever
 * the private rows. Errors: query.unsupported.
 */
function demandKeptGroups(from: Relation, where: Expression | null, keys: readonly NamedKey[]): void {
  const kept = keptSources(from);
  if (kept === null || keys.length === 0) return;
  const isPublic = (expression: Expression): boolean =>
    [...sourcesRead(expression)].every((source) => kept.has(source));
  const mixed = keys.find(({ expression }) => !isPublic(expression));
  if (mixed)
    refuse(
      "query.unsupported",
      `the outer join keeps groups of public rows, and ${mixed.name} is none of their columns`,
      "group by public columns alone, or write JOIN in the place of the outer join",
    );
  const named = new Set(keys.flatMap(({ expression }) => columnsOf(expression).map(columnId)));
  for (const condition of where === null ? [] : everyTrue(where))
    if (!isPublic(condition) || columnsOf(condition).some((column) => !named.has(columnId(column))))
      refuse(
        "query.unsupported",
        `the outer join keeps groups of public rows, and ${writeSql(condition)} would leave out some of these by what is no key of theirs`,
        "write the condition into ON, or as a condition on the keys of GROUP BY",
      );
}

function columnsOf(expression: Expression): readonly ColumnExpression[] {
  return expression.kind === "column" ? [expression] : children(expression).flatMap(columnsOf);
}

const computedOf = (output: OutputColumn): readonly PostExpression[] =>
  output.kind === "computed" ? [output.expression] : [];

/** Returns the place (UTF-16 index) where a question writes a text; undefined where only a parameter or a view holds it. */
function placeOfWord(word: string, select: SelectStmt): number | undefined {
  for (const { sval, location } of nodesOf<A_Const>("A_Const", select))
    if (sval && (sval.sval ?? "") === word) return location;
  return undefined;
}

/** Refuses expressions that are too large together: a plan writes out each of them with its domains. */
function checkCost(expressions: readonly Expression[], scope: Scope): void {
  const cost = expressions.reduce((total, expression) => total + scope.build.cost(expression), 0);
  if (cost > maxCost)
    refuse(
      "query.too-large",
      "the question names too many public values",
      "name a column of many categories less often",
    );
}

/** Codes whose refusals lead to a question that would be accepted. */
const rewritten: ReadonlySet<string> = new Set([
  "query.unsupported",
  "query.unknown-function",
  "query.unknown-column",
  "query.unknown-table",
  "query.type",
]);

/**
 * Resolves a question against the policy's catalog: its tables, their columns with their domains, the aggregates to be
 * measured, and what is done to released rows afterwards. Pure; never looks at data.
 * Errors: query.unsupported, query.unknown-table, query.unknown-column, query.unknown-function, query.type,
 * query.option, query.too-large, each with the place (a UTF-16 index) and a fix. Where a whole question can be
 * suggested instead, `fields.rewrite` holds it and the fix ends with it; where that asks something else, `fields.rewriteDiffers` says in what.
 */
export function resolveQuestion(parsed: ParsedQuestion, policy: Policy): ResolvedQuery {
  try {
    return answered(parsed, policy);
  } catch (error) {
    if (!(error instanceof LetheError) || !rewritten.has(error.code)) throw error;
    const rewrite = suggestRewrite(parsed, policy, (sql) => isAnswered(sql, policy));
    if (rewrite === null) throw error;
    throw new LetheError(error.code, error.message, {
      fix: `${error.fix}; ${introduced(rewrite)}: ${rewrite.sql}`,
      fields: {
        ...error.fields,
        rewrite: rewrite.sql,
        ...(rewrite.differs.length > 0 ? { rewriteDiffers: rewrite.differs.join(", ") } : {}),
      },
      ...(error.offset === undefined ? {} : { offset: error.offset }),
    });
  }
}

/** Whether a suggestion is accepted. */
function isAnswered(sql: string, policy: Policy): boolean {
  try {
    answered(parseAgain(sql), policy);
    return true;
  } catch (error) {
    if (error instanceof LetheError && error.code !== "internal.invariant") return false;
    throw error;
  }
}

/** Resolves a SELECT of private tables, or else a SELECT over the answer to one. */
function answered(parsed: ParsedQuestion, policy: Policy): ResolvedQuery {
  const ask = (asked: SelectStmt): ResolvedQuery => {
    const select = distinctGroups(asked, (node) => holdsAggregate(node) || holdsGrouping(node));
    checkClauses(select);
    return resolve({ ...parsed, select }, policy);
  };
  try {
    return ask(parsed.select);
  } catch (error) {
    if (!(error instanceof LetheError) || !rewritten.has(error.code)) throw error;
    const over = resolveOver(parsed.select, {
      ask,
      columnsOf(select) {
        const { scope } = resolveFrom(select, policy, expressionBuilder());
        return (name) => hasColumn(name, scope);
      },
      publicTable: (range) => publicTableNamed(range, policy),
      written: (offset) => writtenBrackets(parsed.text, parsed.text.indexOf("(", offset)),
    });
    if (over === null) throw error;
    return over;
  }
}

function introduced({ differs }: Rewrite): string {
  return differs.length === 0 ? "for example" : `a question near it, ${differs.join(", ")}`;
}
