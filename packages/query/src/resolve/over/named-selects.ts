import type { CommonTableExpr, Node, RangeSubselect, RangeVar, SelectStmt } from "@pgsql/types";
import { refuse } from "../../refusals/refuse.ts";
import { nodesOf } from "../names/nodes.ts";
import { fieldNames, resolveName } from "../names/scope.ts";

/** A subquery that has a name in WITH, and what was named before it. */
export interface NamedSelect {
  readonly select: SelectStmt;
  readonly cte: CommonTableExpr;
  readonly before: Named;
  /** Whether another SELECT around it has the same name. */
  readonly shadows: boolean;
}

/** The subqueries that WITH names, by their names. */
export type Named = ReadonlyMap<string, NamedSelect>;

/** The names that a SELECT's WITH adds to those around it. */
export function withNames({ withClause }: SelectStmt, named: Named): Named {
  let known = named;
  for (const node of withClause?.ctes ?? []) {
    if (!("CommonTableExpr" in node)) continue;
    const { ctename, ctequery } = node.CommonTableExpr;
    if (!ctename || !ctequery || !("SelectStmt" in ctequery)) continue;
    const before = known;
    const shadows = resolveName(ctename, [...known.keys()]) !== null;
    known = new Map([
      ...known,
      [ctename, { select: ctequery.SelectStmt, cte: node.CommonTableExpr, before, shadows }],
    ]);
  }
  return known;
}

/**
 * Returns a SELECT with all names of WITH around it, so that it can be asked by itself. Errors: query.unsupported where one of them hides another, as both would then stand side by
 * side.
 */
export function standingAlone(select: SelectStmt, named: Named): SelectStmt {
  for (const { shadows, cte } of withNames(select, named).values())
    if (shadows) refuse("query.unsupported", `WITH names ${cte.ctename} twice`, "rename one", cte.location);
  const ctes = namesRead(select, named).map(({ cte }): Node => ({ CommonTableExpr: cte }));
  if (ctes.length === 0) return select;
  const own = select.withClause?.ctes ?? [];
  return { ...select, withClause: { ...select.withClause, ctes: [...ctes, ...own] } };
}

/** The names of WITH that a SELECT reads, by itself or through others, in their order. */
function namesRead(select: SelectStmt, named: Named): readonly NamedSelect[] {
  const read = new Set<string>();
  const open: unknown[] = [select];
  while (open.length > 0)
    for (const { relname = "" } of nodesOf<RangeVar>("RangeVar", open.pop())) {
      const name = resolveName(relname, [...named.keys()]);
      if (name === null || read.has(name)) continue;
      read.add(name);
      open.push(named.get(name)?.select);
    }
  return [...named].flatMap(([name, found]) => (read.has(name) ? [found] : []));
}

/** The SELECT that an item of FROM reads, with the name of its rows; null for a table. */
export function selectOf(
  item: Node,
  named: Named,
): {
  readonly select: SelectStmt;
  readonly named: Named;
  readonly alias: string;
  /** The names that WITH gives to its columns, and then those that FROM gives. */
  readonly columns: readonly (readonly string[])[];
} | null {
  if ("RangeVar" in item) return ofName(item.RangeVar, named);
  if (!("RangeSubselect" in item)) return null;
  const { subquery, alias, lateral }: RangeSubselect = item.RangeSubselect;
  if (!subquery || !("SelectStmt" in subquery) || lateral) return null;
  return {
    select: subquery.SelectStmt,
    named,
    alias: alias?.aliasname ?? "answer",
    columns: [namesIn(alias?.colnames)],
  };
}

function ofName({ relname = "", schemaname, alias }: RangeVar, named: Named): ReturnType<typeof selectOf> {
  if (schemaname) return null;
  const name = resolveName(relname, [...named.keys()]);
  const found = name === null ? undefined : named.get(name);
  if (!found) return null;
  return {
    select: found.select,
    named: found.before,
    alias: alias?.aliasname ?? relname,
    columns: [namesIn(found.cte.aliascolnames), namesIn(alias?.colnames)],
  };
}

function namesIn(nodes: readonly Node[] | undefined): readonly string[] {
  return fieldNames([...(nodes ?? [])]) ?? [];
}
