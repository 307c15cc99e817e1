import type { Node, SelectStmt } from "@pgsql/types";
import { nodesOf } from "./nodes.ts";
import { targetsOf } from "./targets.ts";

/**
 * Returns a SELECT whose GROUP BY ALL, which is read as GROUP BY '' (parse/other-words.ts), names the places of all items of its list that read
 * rows outside aggregates. Any other SELECT is returned as it is.
 */
export function groupByAll(select: SelectStmt, holdsAggregate: (node: Node) => boolean): SelectStmt {
  const [only, ...others] = select.groupClause ?? [];
  const isAll = only && "A_Const" in only && only.A_Const.sval && (only.A_Const.sval.sval ?? "") === "";
  if (!isAll || others.length > 0) return select;
  const { location } = only.A_Const;
  const at = location === undefined ? {} : { location };
  const places = targetsOf(select)
    .filter(({ node }) => !holdsAggregate(node) && readsColumn(node))
    .map(({ item }) => item + 1);
  const { groupClause: _, ...rest } = select;
  if (places.length === 0) return rest;
  return {
    ...rest,
    groupClause: places.map((place): Node => ({ A_Const: { ival: { ival: place }, ...at } })),
  };
}

const readsColumn = (node: Node): boolean => [...nodesOf("ColumnRef", node)].length > 0;
