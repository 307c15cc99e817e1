import type { FromItem, Join, Query, Select, SelectColumn } from "../sql/query.ts";

/** The words of statements in which dialects differ. */
export interface QueryWords {
  /** The words between a common table's name and its query. */
  readonly as: string;
  /** The end of a SELECT whose columns are to be computed once; may be empty. */
  readonly fence: string;
  /** Writes a join that adds `name.v`, a value of the relation's columns. */
  readonly beside: (value: string, name: string) => string;
}

/** Prints a statement. */
export function printQuery(query: Query, words: QueryWords): string {
  const print = (part: Query): string => printQuery(part, words);
  switch (query.kind) {
    case "select":
      return printSelect(query, words);
    case "union-all":
      // WITH would belong to all parts.
      return query.parts
        .map((part) => (part.kind === "with" ? `(${print(part)})` : print(part)))
        .join(" UNION ALL ");
    case "with": {
      const tables = query.tables.map((table) => `${table.name} ${words.as} (${print(table.query)})`);
      return `WITH ${tables.join(", ")} ${print(query.query)}`;
    }
  }
}

/** PostgreSQL and DuckDB take no condition from around a SELECT that skips rows, even none. */
const fence = " OFFSET 0";

function printSelect(select: Select, words: QueryWords): string {
  const { columns, from, joins, where, groupBy, havingAny, orderBy, once, fenced } = select;
  const clause = (word: string, parts: readonly (string | number)[], between: string): string =>
    parts.length === 0 ? "" : ` ${word} ${parts.join(between)}`;
  return [
    `SELECT ${columns.map(printColumn).join(", ") || "1 AS nothing"} FROM ${printSource(from, words)}`,
    ...joins.map((join) => printJoin(join, words)),
    clause("WHERE", where, " AND "),
    clause("GROUP BY", groupBy, ", "),
    clause("HAVING", havingAny, " OR "),
    clause("ORDER BY", orderBy.map(ascending), ", "),
    fenced ? fence : once ? words.fence : "",
  ].join("");
}

/** Where NULL comes is an engine's setting unless it is said. */
function ascending(value: string | number): string {
  return `${value} ASC NULLS LAST`;
}

/** Prints a column of a SELECT. */
export function printColumn(column: SelectColumn): string {
  return typeof column === "string" ? column : `${column.value} AS ${column.as}`;
}

function printSource(source: FromItem, words: QueryWords): string {
  switch (source.kind) {
    case "table":
      return source.as === null ? source.name : `${source.name} AS ${source.as}`;
    case "query":
      return `(${printQuery(source.query, words)}) AS ${source.as}`;
    case "list": {
      const rows = source.rows.map((row) => `(${row.join(", ")})`);
      return `(VALUES ${rows.join(", ")}) AS ${source.as}(${source.columns.join(", ")})`;
    }
  }
}

function printJoin(join: Join, words: QueryWords): string {
  if (join.kind === "beside") return words.beside(join.value, join.as);
  const type = join.type === null ? "" : `${join.type.toUpperCase()} `;
  return ` ${type}JOIN ${printSource(join.source, words)} ON ${join.on.join(" AND ")}`;
}
