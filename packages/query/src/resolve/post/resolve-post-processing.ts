import { elementAt } from "@lethe/core/numeric";
import type { Node, SelectStmt } from "@pgsql/types";
import { writeName } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import { offsetOf, partOf } from "../names/nodes.ts";
import type { OutputColumn, PostExpression, PostProcessing } from "../names/resolved-query.ts";
import { ordinal, type Target } from "../names/targets.ts";
import { demandPossibleHaving } from "./released-conditions.ts";
import { type PostScope, resolvePost } from "./resolve-post.ts";

function resolveOrder(
  select: SelectStmt,
  targets: readonly Target[],
  outputs: readonly OutputColumn[],
  scope: PostScope,
): PostProcessing["orderBy"] {
  return (select.sortClause ?? []).map((item) => {
    const { node: by, sortby_dir, sortby_nulls, useOp } = partOf("SortBy" in item ? item.SortBy : undefined);
    const node = partOf(by);
    if (useOp || sortby_dir === "SORTBY_USING")
      refuse("query.unsupported", "ORDER BY … USING is not known", "write ASC or DESC", offsetOf(node));
    const place = ordinal(node, targets, "ORDER BY");
    const expression = place
      ? postOf(elementAt(outputs, targets.indexOf(place)))
      : resolvePost(node, scope).expression;
    const descending = sortby_dir === "SORTBY_DESC";
    // NULL counts as larger than every value unless the question says otherwise.
    const nullsFirst =
      sortby_nulls === "SORTBY_NULLS_FIRST" || (sortby_nulls !== "SORTBY_NULLS_LAST" && descending);
    return { by: expression, descending, nullsFirst };
  });
}

/** The output column as an expression over released rows. */
export function postOf(output: OutputColumn): PostExpression {
  switch (output.kind) {
    case "key":
      return { kind: "key", key: output.key };
    case "aggregate":
      return { kind: "aggregate", aggregate: output.aggregate };
    case "computed":
      return output.expression;
    case "interval-end":
      return refuse(
        "query.unsupported",
        `rows cannot be chosen or ordered by ${writeName(output.name)}, an end of an interval`,
        "choose by the value itself",
      );
  }
}

function resolveCount(node: Node | undefined, clause: string): number | null {
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

function resolveHaving(clause: Node, scope: PostScope): PostExpression {
  const { expression, type } = resolvePost(clause, scope);
  if (type !== "boolean")
    refuse("query.type", "HAVING takes a condition", "write HAVING COUNT(*) > 10", offsetOf(clause));
  demandPossibleHaving(expression, scope, offsetOf(clause));
  return expression;
}

/** Resolves the operations on released rows: HAVING, ORDER BY, LIMIT, OFFSET. */
export function resolvePostProcessing(
  select: SelectStmt,
  targets: readonly Target[],
  outputs: readonly OutputColumn[],
  scope: PostScope,
): PostProcessing {
  const having = select.havingClause ? resolveHaving(select.havingClause, scope) : null;
  const offset = resolveCount(select.limitOffset, "OFFSET") ?? 0;
  if (offset > 0 && select.limitOffset && !select.sortClause)
    refuse(
      "query.unsupported",
      "OFFSET needs ORDER BY, because rows have no order of their own",
      "add ORDER BY 1",
      offsetOf(select.limitOffset),
    );
  return {
    having,
    orderBy: resolveOrder(select, targets, outputs, { ...scope, aliasFirst: true, clause: "ORDER BY" }),
    limit: resolveCount(select.limitCount, "LIMIT"),
    offset,
  };
}
