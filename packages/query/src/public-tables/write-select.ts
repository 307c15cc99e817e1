import type { Alias, JoinExpr, Node, RangeFunction, RangeVar, SelectStmt, WithClause } from "@pgsql/types";
import type { QualifiedSelect } from "../parse/tree/place-qualify.ts";
import { groupByAll } from "../resolve/names/group-by-all.ts";
import { functionName, nodesOf, offsetWithin, partOf } from "../resolve/names/nodes.ts";
import { defaultName } from "../resolve/names/output-name.ts";
import { fieldNames } from "../resolve/names/scope.ts";
import { knownAggregates } from "./known-calls.ts";
import { writeOrder, writeWindow } from "./write-call.ts";
import { writeExpression } from "./write-expression.ts";
import { unknownHere, type Writing } from "./writing.ts";

const clauses: ReadonlySet<string> = new Set([
  ...[
    "withClause",
    "targetList",
    "fromClause",
    "whereClause",
    "groupClause",
    "groupDistinct",
    "havingClause",
  ],
  ...[
    "qualifyClause",
    "windowClause",
    "distinctClause",
    "sortClause",
    "limitCount",
    "limitOffset",
    "limitOption",
  ],
  ...["valuesLists", "op", "all", "larg", "rarg"],
]);

/** Writes a SELECT of public tables. Errors: query.unsupported, query.unknown-table, query.unknown-function. */
export function writeSelect(stated: SelectStmt, around: Writing): string {
  const select: QualifiedSelect = groupByAll(stated, holdsAggregate);
  const other = Object.keys(select).find((clause) => !clauses.has(clause));
  if (other !== undefined) unknownHere(`the clause ${other}`, offsetWithin(select.targetList));
  if (select.limitOption === "LIMIT_OPTION_WITH_TIES")
    unknownHere("WITH TIES", offsetWithin(select.limitCount));
  const { words, writing } = writeWith(select.withClause, around);
  const { sortClause, limitCount, limitOffset } = select;
  const write = (node: Node): string => writeExpression(node, writing);
  const parts = [
    words,
    writeRows(select, writing),
    sortClause ? `ORDER BY ${writeOrder(sortClause, writing)}` : "",
    limitCount && !isNull(limitCount) ? `LIMIT ${write(limitCount)}` : "",
    limitOffset ? `OFFSET ${write(limitOffset)}` : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** LIMIT ALL is read as LIMIT NULL. */
function isNull(node: Node): boolean {
  return "A_Const" in node && node.A_Const.isnull === true;
}

function holdsAggregate(node: Node): boolean {
  return [...nodesOf<{ readonly funcname?: Node[] }>("FuncCall", node)].some(({ funcname }) =>
    knownAggregates.has(functionName(funcname)),
  );
}

function writeWith(
  clause: WithClause | undefined,
  around: Writing,
): { readonly words: string; readonly writing: Writing } {
  if (clause?.recursive) unknownHere("WITH RECURSIVE", clause.location, "leave RECURSIVE out");
  let writing = around;
  const written: string[] = [];
  for (const node of clause?.ctes ?? []) {
    const {
      ctename = "",
      ctequery,
      aliascolnames,
      location,
    } = "CommonTableExpr" in node ? node.CommonTableExpr : {};
    if (!ctequery || !("SelectStmt" in ctequery)) return unknownHere("this part of WITH", location);
    const rows = writing.select(ctequery.SelectStmt, writing);
    written.push(
      `${writing.dialect.identifier(writtenName(ctename))}${columnList(aliascolnames, writing)} AS (${rows})`,
    );
    writing = { ...writing, named: new Set([...writing.named, ctename.toLowerCase()]) };
  }
  return { words: written.length === 0 ? "" : `WITH ${written.join(", ")}`, writing };
}

/** No table has a name like this, so that a name of WITH can never be read as one of a table. */
function writtenName(name: string): string {
  return `with ${name.toLowerCase()}`;
}

function columnList(names: readonly Node[] | undefined, { dialect }: Writing): string {
  const written = (fieldNames([...(names ?? [])]) ?? []).map(dialect.identifier);
  return written.length === 0 ? "" : `(${written.join(", ")})`;
}

function writeRows(select: QualifiedSelect, writing: Writing): string {
  const { op, all, larg, rarg, valuesLists } = select;
  if (larg && rarg) {
    const [left, right] = [larg, rarg].map((part) => `(${writing.select(part, writing)})`);
    return `${left} ${(op ?? "").replace("SETOP_", "")}${all ? " ALL" : ""} ${right}`;
  }
  if (valuesLists) {
    const row = (list: Node): string =>
      "List" in list ? (list.List.items ?? []).map((node) => writeExpression(node, writing)).join(", ") : "";
    return `VALUES ${valuesLists.map((list) => `(${row(list)})`).join(", ")}`;
  }
  return writePlain(select, writing);
}

function writePlain(select: QualifiedSelect, writing: Writing): string {
  const { fromClause = [], whereClause, groupClause, havingClause, qualifyClause, windowClause } = select;
  const write = (node: Node): string => writeExpression(node, writing);
  const windows = (windowClause ?? []).flatMap((node) =>
    "WindowDef" in node
      ? [
          `${writing.dialect.identifier(node.WindowDef.name ?? "")} AS ${writeWindow({ ...node.WindowDef, name: "" }, writing)}`,
        ]
      : [],
  );
  if (qualifyClause && !writing.dialect.publicRows.qualifies)
    unknownHere(
      "QUALIFY",
      offsetWithin(qualifyClause),
      "write the window into a subquery, and its condition into WHERE",
    );
  const parts = [
    `SELECT ${writeDistinct(select, writing)}${(select.targetList ?? []).map((node) => writeTarget(node, writing)).join(", ")}`,
    fromClause.length > 0 ? `FROM ${fromClause.map((item) => writeItem(item, writing)).join(", ")}` : "",
    whereClause ? `WHERE ${write(whereClause)}` : "",
    groupClause ? `GROUP BY ${groupClause.map((node) => writeGroup(node, writing)).join(", ")}` : "",
    havingClause ? `HAVING ${write(havingClause)}` : "",
    windows.length > 0 ? `WINDOW ${windows.join(", ")}` : "",
    qualifyClause ? `QUALIFY ${write(qualifyClause)}` : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function writeDistinct({ distinctClause }: SelectStmt, writing: Writing): string {
  if (!distinctClause) return "";
  const on = distinctClause.filter((node) => Object.keys(node).length > 0);
  return on.length === 0
    ? "DISTINCT "
    : `DISTINCT ON (${on.map((node) => writeExpression(node, writing)).join(", ")}) `;
}

/** An item without a name has PostgreSQL's on every engine. */
function writeTarget(item: Node, writing: Writing): string {
  const target = "ResTarget" in item ? item.ResTarget : {};
  const node = partOf(target.val);
  const written = writeExpression(node, writing);
  if (target.name === undefined && "ColumnRef" in node) return written;
  return `${written} AS ${writing.dialect.identifier(target.name ?? defaultName(node))}`;
}

const groupings: Readonly<Record<string, string>> = {
  GROUPING_SET_ROLLUP: "ROLLUP",
  GROUPING_SET_CUBE: "CUBE",
  GROUPING_SET_SETS: "GROUPING SETS",
};

function writeGroup(node: Node, writing: Writing): string {
  if (!("GroupingSet" in node)) return writeExpression(node, writing);
  const { kind = "", content = [] } = node.GroupingSet;
  return `${groupings[kind] ?? ""} (${content.map((part) => writeGroup(part, writing)).join(", ")})`.trim();
}

function writeItem(item: Node, writing: Writing): string {
  if ("JoinExpr" in item) return writeJoin(item.JoinExpr, writing);
  if ("RangeVar" in item) return writeTable(item.RangeVar, writing);
  if ("RangeFunction" in item) return writeFunction(item.RangeFunction, writing);
  if (!("RangeSubselect" in item)) return unknownHere("this part of FROM", offsetWithin(item));
  const { subquery, alias, lateral } = item.RangeSubselect;
  if (!subquery || !("SelectStmt" in subquery)) return unknownHere("this part of FROM", offsetWithin(item));
  const rows = `(${writing.select(subquery.SelectStmt, writing)})`;
  return `${lateral ? "LATERAL " : ""}${rows}${writeAlias(alias, "subquery", writing)}`;
}

function writeAlias(alias: Alias | undefined, name: string, writing: Writing): string {
  return ` AS ${writing.dialect.identifier(alias?.aliasname ?? name)}${columnList(alias?.colnames, writing)}`;
}

function writeTable(range: RangeVar, writing: Writing): string {
  const { relname = "", schemaname, catalogname, alias } = range;
  const isNamed = !schemaname && !catalogname && writing.named.has(relname.toLowerCase());
  if (isNamed)
    return `${writing.dialect.identifier(writtenName(relname))}${writeAlias(alias, relname, writing)}`;
  return `(${writing.rowsOf(writing.meant(range))})${writeAlias(alias, relname, writing)}`;
}

/** The functions that make rows of their arguments. */
const rowFunctions: ReadonlySet<string> = new Set(["generate_series", "unnest"]);

function writeFunction(
  { functions = [], alias, ordinality, is_rowsfrom }: RangeFunction,
  writing: Writing,
): string {
  const [list] = functions;
  const call = list && "List" in list ? list.List.items?.[0] : undefined;
  const name = call && "FuncCall" in call ? functionName(call.FuncCall.funcname) : "";
  if (!call || !("FuncCall" in call) || !rowFunctions.has(name) || ordinality || is_rowsfrom)
    return unknownHere(
      "this function in FROM",
      offsetWithin(functions),
      "write generate_series(1, 12) AS months(month)",
    );
  const args = (call.FuncCall.args ?? []).map((arg) => writeExpression(arg, writing));
  return `${name}(${args.join(", ")})${writeAlias(alias, name, writing)}`;
}

const joinTypes: Readonly<Record<string, string>> = {
  JOIN_INNER: "JOIN",
  JOIN_LEFT: "LEFT JOIN",
  JOIN_RIGHT: "RIGHT JOIN",
  JOIN_FULL: "FULL JOIN",
};

function writeJoin(join: JoinExpr, writing: Writing): string {
  const {
    jointype = "JOIN_INNER",
    larg,
    rarg,
    isNatural,
    usingClause,
    quals,
    alias,
    join_using_alias,
  } = join;
  const words = joinTypes[jointype];
  if (words === undefined || alias || join_using_alias) return unknownHere("this join", offsetWithin(join));
  const [left, right] = [larg, rarg].map((side) => {
    const item = partOf(side);
    return "JoinExpr" in item ? `(${writeItem(item, writing)})` : writeItem(item, writing);
  });
  if (isNatural) return `${left} NATURAL ${words} ${right}`;
  if (usingClause) {
    const columns = (fieldNames([...usingClause]) ?? []).map((name) =>
      writing.dialect.identifier(writing.spelled(name)),
    );
    return `${left} ${words} ${right} USING (${columns.join(", ")})`;
  }
  if (quals) return `${left} ${words} ${right} ON ${writeExpression(quals, writing)}`;
  return `${left} CROSS JOIN ${right}`;
}
