import type { SelectStmt } from "@pgsql/types";
import { entryOf } from "../../../policy/entry-of.ts";
import type { Policy } from "../../../policy/policy.ts";
import { refuse } from "../../../refusals/refuse.ts";
import { listedWith, type Relation } from "../../../relations/relation.ts";
import { nodesOf } from "../../names/nodes.ts";
import type { ScopeColumn } from "../../names/scope.ts";

/** Whether a SELECT shows distinct rows and computes nothing of them: SELECT DISTINCT, or GROUP BY of what it shows. */
export function showsDistinct(select: SelectStmt): boolean {
  const { distinctClause, groupClause, havingClause, targetList } = select;
  if (havingClause || [...nodesOf("FuncCall", targetList)].length > 0) return false;
  // DISTINCT ON names columns.
  if (distinctClause) return !groupClause && distinctClause.every((item) => Object.keys(item).length === 0);
  return groupClause !== undefined && groupClause.length === (targetList ?? []).length && isAlike(select);
}

function isAlike({ groupClause = [], targetList = [] }: SelectStmt): boolean {
  const written = (node: unknown): string =>
    JSON.stringify(node, (key, value: unknown) => (key === "location" ? undefined : value));
  const shown = new Set(targetList.map((item) => ("ResTarget" in item ? written(item.ResTarget.val) : "")));
  return groupClause.every((item, at) => shown.has(written(item)) || isPlace(item, at));
}

function isPlace(item: object, at: number): boolean {
  return (
    "A_Const" in item && (item as { A_Const: { ival?: { ival?: number } } }).A_Const.ival?.ival === at + 1
  );
}

/**
 * Returns public rows of which no two have the same values in the columns that are shown. One of them has a value in one row alone: it is the table's key, or the table is
 * read once for each of its values. Errors: query.unsupported where that cannot be told.
 */
export function readDistinct(
  from: Relation,
  columns: readonly ScopeColumn[],
  policy: Policy,
  offset: number | undefined,
): Relation {
  const table = from.kind === "filter" ? from.of : from;
  const shown = columns.flatMap((column) => {
    const expression = column.expression(offset);
    return expression.kind === "column" ? [expression.name] : [];
  });
  if (table.kind === "list" && shown.some((name) => listedWith(table, name) === 1)) return from;
  if (table.kind === "table") {
    const { key } = entryOf(policy.tables, table.table);
    if (key !== null && shown.includes(key)) return from;
    const [only] = shown;
    if (from.kind === "table" && columns.length === 1 && only !== undefined)
      return { ...from, oncePer: only };
  }
  return refuse(
    "query.unsupported",
    "distinct rows of public tables are read by a column that tells them apart",
    "show the table's key, or one column of one table without a WHERE",
    offset,
  );
}
