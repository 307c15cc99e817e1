import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import type { FuncCall, Node } from "@pgsql/types";
import type { Domain } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import { aggregateCall } from "../aggregates/resolve-aggregate.ts";
import { resolvePair } from "../aggregates/resolve-pair.ts";
import { describeNode, resolveExpression } from "../expressions/resolve-expression.ts";
import { resolveLiteral } from "../expressions/resolve-literal.ts";
import { computedForm } from "../names/aggregate-names.ts";
import { functionName, offsetOf } from "../names/nodes.ts";
import type { Aggregate } from "../names/resolved-query.ts";
import { fieldNames, hasColumn } from "../names/scope.ts";
import type { TypedPost } from "./post-call.ts";
import { postSize } from "./post-parts.ts";
import { constantTime } from "./post-times.ts";
import { type GroupScope, otherCall, resolveGrouping, resolveOther } from "./resolve-grouping.ts";
import { resolvePostCall } from "./resolve-post-call.ts";

/** The names that computed columns, HAVING and ORDER BY can use: those of released columns alone. */
export interface PostScope extends GroupScope {
  /** Returns the name of an aggregate. The aggregate is measured from then on, even if it is not shown. */
  measure(call: FuncCall): string;
  /** Returns the type of a measured aggregate: a quantile of times is a time. */
  typeOf(aggregate: string): Domain["type"];
  /** Returns the name of an aggregate that is resolved already, and measures it. */
  measured(aggregate: Aggregate, offset: number | undefined): string;
  /** Returns the output column that the select list gives a name to; null where there is none. */
  alias(name: string): TypedPost | null;
  /** Whether an alias goes before a column of the same name: in ORDER BY, not in HAVING. */
  readonly aliasFirst: boolean;
  /** The clause that the expression stands in, for refusals. */
  readonly clause: "the select list" | "HAVING" | "ORDER BY";
}

const maxDepth = 100;

/** Resolves an expression over one released row. Errors: query.unsupported, query.type, and those of its parts. */
export function resolvePost(node: Node, scope: PostScope, depth = 0): TypedPost {
  if (depth > maxDepth)
    refuse(
      "query.too-large",
      `an expression nests deeper than ${maxDepth} levels`,
      "split it",
      offsetOf(node),
    );
  const resolve = (inner: Node): TypedPost => resolvePost(inner, scope, depth + 1);

  const aggregate = aggregateCall(node);
  const computed = aggregate && computedForm(functionName(aggregate.funcname));
  if (computed) {
    const expression = computed.of(resolvePair(aggregate, scope), (part) => ({
      kind: "aggregate",
      aggregate: scope.measured(part, aggregate.location),
    }));
    return { expression, type: "number", size: postSize(expression) };
  }
  if (aggregate) {
    const name = scope.measure(aggregate);
    return { expression: { kind: "aggregate", aggregate: name }, type: scope.typeOf(name), size: 1 };
  }
  if ("GroupingFunc" in node) {
    const expression = resolveGrouping(node.GroupingFunc, scope);
    return { expression, type: "number", size: postSize(expression) };
  }
  const other = otherCall(node);
  if (other) return { expression: resolveOther(other, scope), type: "boolean", size: 3 };
  if ("A_Const" in node) {
    const literal = resolveLiteral(node.A_Const, scope) as Expression & { kind: "literal" };
    return {
      expression: { kind: "literal", value: literal.value },
      type: literal.value === null ? "null" : literal.domain.type,
      size: 1,
    };
  }
  return (
    namedColumn(node, scope) ??
    groupKey(node, scope) ??
    constantTime(node, scope) ??
    resolvePostCall(node, resolve) ??
    refuseLeaf(node, scope)
  );
}

function namedColumn(node: Node, scope: PostScope): TypedPost | null {
  if (!("ColumnRef" in node)) return null;
  const names = fieldNames(node.ColumnRef.fields);
  if (names?.length !== 1) return null;
  const isColumn = hasColumn(elementAt(names, 0), scope);
  if (isColumn && !scope.aliasFirst) return null;
  return scope.alias(elementAt(names, 0));
}

/** Returns the group key that a node writes, however the key is computed; null where it is none. */
function groupKey(node: Node, scope: PostScope): TypedPost | null {
  if (scope.keys.length === 0) return null;
  let sql: string;
  try {
    sql = writeSql(resolveExpression(node, scope));
  } catch (error) {
    // An expression that cannot be computed from one row may still be one over released columns.
    if (error instanceof LetheError) return null;
    throw error;
  }
  const key = scope.keys.find(({ name }) => name === sql);
  return key
    ? { expression: { kind: "key", key: key.name }, type: key.expression.domain.type, size: 1 }
    : null;
}

function refuseLeaf(node: Node, scope: PostScope): never {
  // FromContext it as an expression over rows reports any error in the expression first.
  const written = writeSql(resolveExpression(node, scope));
  const what = "ColumnRef" in node ? written : `${written} (${describeNode(node)})`;
  return refuse(
    "query.unsupported",
    `${what} is neither a group nor an aggregate`,
    scope.clause === "the select list"
      ? `columns are computed from keys and aggregates: group by ${written}, or put it into an aggregate`
      : `HAVING and ORDER BY work on released columns: group by ${written}, or put the condition into WHERE`,
    offsetOf(node),
  );
}
