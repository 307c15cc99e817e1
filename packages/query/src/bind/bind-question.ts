import { LetheError } from "@lethe/core";
import type { FuncCall, Node, ResTarget, SelectStmt, SortBy } from "@pgsql/types";
import type { ParsedQuestion } from "../parse/parsed-question.ts";
import { isPrintable } from "../policy/check-name.ts";
import type { Policy } from "../policy/policy.ts";
import { aggregateCall, bindAggregate, writeAggregate } from "./bind-aggregate.ts";
import { bindExpression } from "./bind-expression.ts";
import { bindOptions } from "./bind-options.ts";
import { bindPost, type PostScope } from "./bind-post.ts";
import { bindTable } from "./bind-table.ts";
import type { Aggregate, BoundQuery, OutputColumn, PostExpression, PostProcessing } from "./bound-query.ts";
import { demandType } from "./build-expression.ts";
import { checkClauses } from "./check-clauses.ts";
import type { Expression } from "./expression.ts";
import { nodesOf, offsetOf } from "./nodes.ts";
import { defaultName, distinctNames } from "./output-name.ts";
import { refuse } from "./refuse.ts";
import { suggestRewrite } from "./rewrite.ts";
import { fieldNames, resolveName, type Scope } from "./scope.ts";
import { writeSql } from "./write-sql.ts";

const maxKeys = 20;
const maxOutputs = 100;
const maxCost = 500_000;

type Target = { readonly name: string; readonly node: Node; readonly offset: number | undefined };

function targetsOf(select: SelectStmt): Target[] {
  const list = (select.targetList ?? []).map((node) => (node as { ResTarget: ResTarget }).ResTarget);
  if (list.length === 0)
    refuse("query.unsupported", "the question asks for nothing", "write SELECT COUNT(*) FROM …");
  if (list.length > maxOutputs)
    refuse(
      "query.too-large",
      `the question asks for more than ${maxOutputs} columns`,
      "ask several questions",
    );
  for (const { name, location } of list)
    if (name !== undefined && !isPrintable(name))
      refuse(
        "query.unsupported",
        "an alias holds a control or text-direction character",
        "rename it",
        location,
      );
  const names = distinctNames(list.map(({ name, val }) => name ?? defaultName(val!)));
  return list.map(({ val }, i) => ({ name: names[i]!, node: val!, offset: offsetOf(val!) }));
}

/** The constant of GROUP BY 1 and ORDER BY 1, as an index. */
function ordinal(node: Node, targets: readonly Target[], clause: string): Target | null {
  if (!("A_Const" in node)) return null;
  const { ival, location } = node.A_Const;
  const target = ival && targets[(ival.ival ?? 0) - 1];
  if (!target)
    refuse(
      "query.unsupported",
      `${clause} takes a column's place (1 to ${targets.length}), a name or an expression`,
      `write ${clause} 1`,
      location,
    );
  return target;
}

/** The output column that a bare name means. */
function aliased(node: Node, targets: readonly Target[]): Target | null {
  if (!("ColumnRef" in node)) return null;
  const names = fieldNames(node.ColumnRef.fields);
  if (names?.length !== 1) return null;
  const name = resolveName(
    names[0]!,
    targets.map((target) => target.name),
  );
  return targets.find((target) => target.name === name) ?? null;
}

/** The keys by their SQL. */
function bindKeys(
  select: SelectStmt,
  targets: readonly Target[],
  scope: Scope,
): ReadonlyMap<string, Expression> {
  const keys = new Map<string, Expression>();
  for (const item of select.groupClause ?? []) {
    if ("GroupingSet" in item)
      refuse(
        "query.unsupported",
        "ROLLUP, CUBE and GROUPING SETS are not answered",
        "ask each grouping by itself",
        offsetOf(item),
      );
    const named = aliased(item, targets);
    const isColumn =
      named !== null &&
      resolveName(
        fieldNames((item as { ColumnRef: { fields?: Node[] } }).ColumnRef.fields)![0]!,
        Object.keys(scope.table.columns),
      ) !== null;
    const node = ordinal(item, targets, "GROUP BY")?.node ?? (isColumn ? item : (named?.node ?? item));
    if (aggregateCall(node))
      refuse(
        "query.unsupported",
        "aggregates are not grouped by",
        "group by columns, and filter with HAVING",
        offsetOf(item),
      );
    const key = bindExpression(node, scope);
    if (key.kind === "literal")
      refuse("query.unsupported", "a constant makes no groups", "group by a column", offsetOf(item));
    keys.set(writeSql(key), key);
  }
  if (keys.size > maxKeys)
    refuse("query.too-large", `more than ${maxKeys} groupings`, "group by fewer columns");
  return keys;
}

/** Aggregates of the question, each measured once, however often it is named. */
function aggregateList(scope: Scope): {
  readonly all: readonly Aggregate[];
  measure(call: FuncCall): number;
} {
  const all: Aggregate[] = [];
  const places = new Map<string, number>();
  return {
    all,
    measure(call) {
      const aggregate = bindAggregate(call, scope);
      const identity = writeAggregate(aggregate, scope);
      const place = places.get(identity) ?? all.push(aggregate) - 1;
      places.set(identity, place);
      if (all.length > maxOutputs)
        refuse(
          "query.too-large",
          `more than ${maxOutputs} aggregates`,
          "ask several questions",
          call.location,
        );
      return place;
    },
  };
}

function holdsAggregate(node: Node): boolean {
  for (const call of nodesOf<FuncCall>("FuncCall", node)) if (aggregateCall({ FuncCall: call })) return true;
  return false;
}

function bindOutput(
  target: Target,
  keySql: readonly string[],
  measure: (call: FuncCall) => number,
  scope: Scope,
): OutputColumn {
  const { name, node, offset } = target;
  const call = aggregateCall(node);
  if (call && !call.over) return { name, kind: "aggregate", aggregate: measure(call) };
  if (!call && holdsAggregate(node))
    refuse(
      "query.unsupported",
      `the column ${JSON.stringify(name)} computes with aggregates`,
      "ask for each aggregate as a column of its own, and compute with the released numbers",
      offset,
    );
  const bound = bindExpression(node, scope);
  const sql = writeSql(bound);
  const key = keySql.indexOf(sql);
  if (key >= 0) return { name, kind: "key", key };
  if (bound.kind === "literal") refuse("query.unsupported", "a constant is no answer", "remove it", offset);
  return refuse(
    "query.unsupported",
    `${sql} is neither grouped by nor inside an aggregate`,
    `add GROUP BY ${sql}`,
    offset,
  );
}

function bindOrder(
  select: SelectStmt,
  targets: readonly Target[],
  outputs: readonly OutputColumn[],
  scope: PostScope,
): PostProcessing["orderBy"] {
  return (select.sortClause ?? []).map((item) => {
    const { node, sortby_dir, sortby_nulls, useOp } = (item as { SortBy: SortBy }).SortBy;
    if (useOp || sortby_dir === "SORTBY_USING")
      refuse("query.unsupported", "ORDER BY … USING is not known", "write ASC or DESC", offsetOf(node!));
    const place = ordinal(node!, targets, "ORDER BY");
    const by = place ? postOf(outputs[targets.indexOf(place)]!) : bindPost(node!, scope).expression;
    const descending = sortby_dir === "SORTBY_DESC";
    // NULL counts as larger than every value unless the question says otherwise.
    const nullsFirst =
      sortby_nulls === "SORTBY_NULLS_FIRST" || (sortby_nulls !== "SORTBY_NULLS_LAST" && descending);
    return { by, descending, nullsFirst };
  });
}

function postOf(output: OutputColumn): PostExpression {
  return output.kind === "key"
    ? { kind: "key", key: output.key }
    : { kind: "aggregate", aggregate: output.aggregate };
}

function bindCount(node: Node | undefined, clause: string): number | null {
  if (!node) return null;
  const constant = "A_Const" in node ? node.A_Const : null;
  if (constant?.isnull) return null;
  const value = constant?.ival ? (constant.ival.ival ?? 0) : -1;
  if (value < 0)
    refuse(
      "query.unsupported",
      `${clause} takes a whole number, 0 to 2147483647`,
      `write ${clause} 10`,
      offsetOf(node),
    );
  return value;
}

function bindPostProcessing(
  select: SelectStmt,
  targets: readonly Target[],
  outputs: readonly OutputColumn[],
  scope: PostScope,
): PostProcessing {
  const having = select.havingClause ? bindPost(select.havingClause, scope) : null;
  if (having && having.type !== "boolean")
    refuse(
      "query.type",
      "HAVING takes a condition",
      "write HAVING COUNT(*) > 10",
      offsetOf(select.havingClause!),
    );
  const offset = bindCount(select.limitOffset, "OFFSET") ?? 0;
  if (offset > 0 && !select.sortClause)
    refuse(
      "query.unsupported",
      "OFFSET without ORDER BY skips rows of no order",
      "add ORDER BY 1",
      offsetOf(select.limitOffset!),
    );
  return {
    having: having?.expression ?? null,
    orderBy: bindOrder(select, targets, outputs, { ...scope, aliasFirst: true }),
    limit: bindCount(select.limitCount, "LIMIT"),
    offset,
  };
}

function bind(parsed: ParsedQuestion, scope: Scope): BoundQuery {
  const { select, text } = parsed;
  const options = bindOptions(parsed.options, scope.table);
  const where = select.whereClause ? bindExpression(select.whereClause, scope) : null;
  if (where) demandType(where, "boolean", offsetOf(select.whereClause!));
  const targets = targetsOf(select);
  const keyed = bindKeys(select, targets, scope);
  const keys = [...keyed.values()];
  const keySql = [...keyed.keys()];
  const { all, measure } = aggregateList(scope);
  const outputs = targets.map((target) => bindOutput(target, keySql, measure, scope));
  if (all.length === 0)
    refuse("query.unsupported", "the question asks for no aggregate", "add COUNT(*) to the select list");
  const postScope: PostScope = {
    ...scope,
    keys,
    keySql,
    measure,
    aliasFirst: false,
    alias: (name) => {
      const found = resolveName(
        name,
        targets.map((target) => target.name),
      );
      return found === null ? null : postOf(outputs[targets.findIndex((target) => target.name === found)]!);
    },
  };
  const post = bindPostProcessing(select, targets, outputs, postScope);
  checkCost(
    [where, ...keys, ...all.map((aggregate) => ("argument" in aggregate ? aggregate.argument : null))],
    scope,
  );
  return { text, table: scope.tableName, where, groupBy: keys, aggregates: all, outputs, post, options };
}

/** A plan spells out every expression with its domains. */
function checkCost(expressions: readonly (Expression | null)[], scope: Scope): void {
  const cost = expressions.reduce(
    (total, expression) => total + (expression ? scope.build.cost(expression) : 0),
    0,
  );
  if (cost > maxCost)
    refuse(
      "query.too-large",
      "the question names too many public values",
      "name a column of many categories less often",
    );
}

/** Codes whose refusals lead to a question that would be accepted. */
const rewritten: ReadonlySet<string> = new Set(["query.unsupported", "query.unknown-function"]);

/**
 * Resolves a question against the policy's catalog: one table, its columns with their domains, the aggregates to be
 * measured, and what is done to released rows afterwards. Pure; never looks at data.
 * Errors: query.unsupported, query.unknown-table, query.unknown-column, query.unknown-function, query.type,
 * query.option, query.too-large, each with the place (a UTF-16 index) and a fix. Where a whole question can be
 * suggested instead, `fields.rewrite` holds it and the fix ends with it.
 */
export function bindQuestion(parsed: ParsedQuestion, policy: Policy): BoundQuery {
  try {
    checkClauses(parsed.select);
    return bind(parsed, bindTable(parsed.select, policy));
  } catch (error) {
    if (!(error instanceof LetheError) || !rewritten.has(error.code)) throw error;
    const rewrite = suggestRewrite(parsed, policy);
    if (rewrite === null) throw error;
    throw new LetheError(error.code, error.message, {
      fix: `${error.fix}; for example: ${rewrite}`,
      fields: { ...error.fields, rewrite },
      ...(error.offset === undefined ? {} : { offset: error.offset }),
    });
  }
}
