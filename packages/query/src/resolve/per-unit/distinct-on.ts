import type { Node, SelectStmt, WindowDef } from "@pgsql/types";
import { refuse } from "../../refusals/refuse.ts";
import { meaningOf } from "../names/nodes.ts";
import { defaultName } from "../names/output-name.ts";

/** The column that numbers the rows. No question can write this name. */
const place = "\u0001place";

/** A window that numbers the rows of DISTINCT ON. */
export interface FirstRowsWindow extends WindowDef {
  readonly ofDistinctOn: true;
}

/** The expressions of DISTINCT ON; empty where a SELECT has none. */
function distinctOn({ distinctClause = [] }: SelectStmt): readonly Node[] {
  // DISTINCT without ON lists one empty node.
  return distinctClause.filter((item) => Object.keys(item).length > 0);
}

/** Whether a SELECT keeps the first row of each of some groups. */
export function keepsFirst(select: SelectStmt): boolean {
  return distinctOn(select).length > 0;
}

/**
 * Writes SELECT DISTINCT ON (a, b) … ORDER BY a, b, c as the rows that are first in a window: ROW_NUMBER() OVER (PARTITION BY a, b
 * ORDER BY c) = 1. Errors: query.unsupported beside GROUP BY, and for an ORDER BY that does not begin with what ON lists.
 */
export function firstRows(select: SelectStmt, offset: number | undefined): SelectStmt {
  const { distinctClause: _, sortClause = [], withClause, targetList = [], ...rest } = select;
  const on = distinctOn(select);
  const keys = new Set(on.map(meaningOf));
  const isKey = (item: Node): boolean =>
    "SortBy" in item && item.SortBy.node !== undefined && keys.has(meaningOf(item.SortBy.node));
  if (select.groupClause || !sortClause.slice(0, on.length).every(isKey))
    refuse(
      "query.unsupported",
      select.groupClause
        ? "DISTINCT ON beside GROUP BY is not answered"
        : "DISTINCT ON keeps the first row of each group, and ORDER BY does not begin with the group",
      "write SELECT DISTINCT ON (a) … ORDER BY a, b",
      offset,
    );
  const over: FirstRowsWindow = {
    partitionClause: [...on],
    orderClause: sortClause.filter((item) => !isKey(item)),
    frameOptions: 1058,
    ofDistinctOn: true,
  };
  const number: Node = { FuncCall: { funcname: [word("row_number")], over } };
  const names = targetList.map((target) => {
    const { name, val } = "ResTarget" in target ? target.ResTarget : {};
    if (val && "ColumnRef" in val && val.ColumnRef.fields?.some((field) => "A_Star" in field)) return null;
    return name ?? (val ? defaultName(val) : null);
  });
  const numbered: SelectStmt = {
    ...rest,
    targetList: [...targetList, { ResTarget: { name: place, val: number } }],
  };
  return {
    op: "SETOP_NONE",
    limitOption: "LIMIT_OPTION_DEFAULT",
    ...(withClause ? { withClause } : {}),
    targetList: names.includes(null)
      ? [{ ResTarget: { val: { ColumnRef: { fields: [{ A_Star: {} }] } } } }]
      : names.map((name) => ({ ResTarget: { name: name!, val: column(name!) } })),
    fromClause: [
      { RangeSubselect: { subquery: { SelectStmt: numbered }, alias: { aliasname: "numbered" } } },
    ],
    whereClause: {
      A_Expr: {
        kind: "AEXPR_OP",
        name: [word("=")],
        lexpr: column(place),
        rexpr: { A_Const: { ival: { ival: 1 } } },
      },
    },
  };
}

const word = (sval: string): Node => ({ String: { sval } });
const column = (name: string): Node => ({ ColumnRef: { fields: [word(name)] } });
