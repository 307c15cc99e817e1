import type { FuncCall, Node, SelectStmt } from "@pgsql/types";
import { targetsOf } from "./targets.ts";

/**
 * Returns a SELECT DISTINCT of rows as the groups that its rows fall into: each combination of values once. Any other SELECT is returned as it is, that of groups or of aggregates too.
 */
export function distinctGroups(select: SelectStmt, holdsAggregate: (node: Node) => boolean): SelectStmt {
  const { distinctClause, ...rest } = select;
  const isPlain = distinctClause?.length === 1 && Object.keys(distinctClause[0] ?? {}).length === 0;
  if (!isPlain || select.groupClause || select.havingClause) return select;
  const targets = targetsOf(select);
  if (targets.some(({ node }) => holdsAggregate(node) || isStar(node))) return select;
  return {
    ...rest,
    groupClause: targets.map(({ item }): Node => ({ A_Const: { ival: { ival: item + 1 } } })),
  };
}

function isStar(node: Node): boolean {
  return "ColumnRef" in node && (node.ColumnRef.fields ?? []).some((field) => "A_Star" in field);
}

/** COUNT(*), by which groups are selected that no aggregate is asked of. */
export const countOfRows: FuncCall = { funcname: [{ String: { sval: "count" } }], agg_star: true };
