import type { SelectStmt } from "@pgsql/types";
import { unsupported } from "../../refuse.ts";
import { keyOfAll } from "../../types/compare.ts";
import type { Tuple } from "../../types/values.ts";
import type { Compiler } from "../compiler.ts";
import { Frame } from "../frame.ts";
import { Level } from "../level.ts";
import { stringsOf } from "../nodes.ts";
import type { Query } from "../query.ts";
import { Scope } from "../scope.ts";
import type { WithQuery } from "../with-query.ts";
import { converted } from "./combined.ts";

/** Returns the names around a SELECT with those that its WITH adds. Errors: query.unsupported for what is no SELECT. */
export function withNames({ withClause }: SelectStmt, level: Level, names: Scope | null): Scope {
  const scope = new Scope(level, names);
  for (const node of withClause?.ctes ?? []) {
    if (!("CommonTableExpr" in node)) continue;
    const { ctename = "", ctequery, aliascolnames, search_clause, cycle_clause } = node.CommonTableExpr;
    if (!ctequery || !("SelectStmt" in ctequery)) return unsupported("a WITH query that is no SELECT");
    if (search_clause || cycle_clause) return unsupported("SEARCH and CYCLE");
    scope.withQueries.set(ctename, {
      name: ctename,
      select: ctequery.SelectStmt,
      columnNames: stringsOf(aliascolnames),
      isRecursive: withClause?.recursive === true && namesRelation(ctequery.SelectStmt, ctename),
      working: null,
      made: null,
    });
  }
  return scope;
}

/** Whether a query names a relation. */
function namesRelation(part: unknown, name: string): boolean {
  if (typeof part !== "object" || part === null) return false;
  if ("RangeVar" in part) {
    const { relname, schemaname } = (part as { RangeVar: { relname?: string; schemaname?: string } })
      .RangeVar;
    if (relname === name && schemaname === undefined) return true;
  }
  return Object.values(part).some((each) => namesRelation(each, name));
}

/** Reads a query of WITH as it is named within a level. One that depends on nothing outside is read and run once. */
export function readWithQuery(query: WithQuery, outer: Level, names: Scope, compiler: Compiler): Query {
  if (query.made) return query.made;
  // A query of WITH may name those before it, and itself where it is recursive.
  const own = query.isRecursive
    ? recursive(query, outer, names, compiler)
    : compiler.select(query.select, outer, before(query, names));
  if (own.level.isClosed) query.made = own;
  return own;
}

function before(query: WithQuery, names: Scope): Scope {
  const scope = new Scope(names.level, names.parent);
  for (const [name, each] of names.withQueries) {
    if (each === query) break;
    scope.withQueries.set(name, each);
  }
  return scope;
}

function recursive(query: WithQuery, outer: Level, names: Scope, compiler: Compiler): Query {
  const { op, all = false, larg, rarg, sortClause, limitCount } = query.select;
  if (op !== "SETOP_UNION" || !larg || !rarg || sortClause || limitCount)
    return unsupported("a recursive query that is no UNION of two SELECTs");
  const level = new Level(outer, compiler.budget);
  const inner = withNames(query.select, level, before(query, names));
  const first = compiler.select(larg, level, inner);
  const columns = first.columns.map((column, at) => ({
    ...column,
    name: query.columnNames[at] ?? column.name,
  }));
  const key: { rows?: readonly Tuple[] } = {};
  const self = new Scope(level, inner);
  self.withQueries.set(query.name, { ...query, working: { columns, key } });
  const again = compiler.select(rarg, level, self);
  const more = converted({ ...again, level: again.level }, columns, compiler);
  return {
    columns,
    level,
    each: (around, run, emit) => {
      const frame = new Frame(run, around, []);
      const seen = new Set<ReturnType<typeof keyOfAll>>();
      const fresh = (row: Tuple): boolean => {
        run.budget.step();
        run.budget.hold(row.length);
        if (all) return true;
        const own = keyOfAll(row);
        if (seen.has(own)) return false;
        seen.add(own);
        return true;
      };
      let rows: Tuple[] = [];
      first.each(frame, run, (row) => {
        if (fresh(row)) rows.push(row);
        return false;
      });
      while (rows.length > 0) {
        if (rows.some(emit)) return true;
        key.rows = rows;
        const next: Tuple[] = [];
        more(frame, (row) => {
          if (fresh(row)) next.push(row);
          return false;
        });
        rows = next;
      }
      return false;
    },
  };
}
