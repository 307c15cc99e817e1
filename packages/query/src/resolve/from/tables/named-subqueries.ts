import type { Node, RangeVar, SelectStmt, WithClause } from "@pgsql/types";
import { refuse } from "../../../refusals/refuse.ts";

/** A subquery of WITH. */
export interface Named {
  readonly select: SelectStmt;
  /** The names that are written before its columns; empty where they keep their own. */
  readonly columns: readonly Node[];
  /** The subqueries of WITH that this one can name. */
  readonly known: ReadonlyMap<string, Named>;
  read: boolean;
}

/** The subqueries of a WITH, each knowing those before it. */
export function namedIn(
  clause: WithClause | undefined,
  outer: ReadonlyMap<string, Named>,
): Map<string, Named> {
  const found = new Map<string, Named>();
  if (clause?.recursive)
    refuse("query.unsupported", "WITH RECURSIVE is not answered", "remove RECURSIVE", clause.location);
  for (const node of clause?.ctes ?? []) {
    const cte = "CommonTableExpr" in node ? node.CommonTableExpr : {};
    const select = cte.ctequery && "SelectStmt" in cte.ctequery ? cte.ctequery.SelectStmt : null;
    const name = (cte.ctename ?? "").toLowerCase();
    if (!select || cte.search_clause || cte.cycle_clause)
      refuse(
        "query.unsupported",
        "WITH takes subqueries",
        `write WITH ${cte.ctename} AS (SELECT …)`,
        cte.location,
      );
    if (found.has(name))
      refuse("query.unsupported", `WITH names ${cte.ctename} twice`, "rename one of the two", cte.location);
    found.set(name, {
      select,
      columns: cte.aliascolnames ?? [],
      known: new Map([...outer, ...found]),
      read: false,
    });
  }
  return found;
}

/** The subquery that a name in FROM means; null where it means a table. */
export function subqueryNamed(range: RangeVar, named: ReadonlyMap<string, Named>): Named | null {
  if (range.schemaname || range.catalogname) return null;
  return named.get((range.relname ?? "").toLowerCase()) ?? null;
}
