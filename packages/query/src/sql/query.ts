import { elementAt } from "@lethe/core/numeric";

/**
 * Statements as nodes. The texts in them are values, conditions and names that a dialect has written; the words and the order of the
 * clauses are the printer's.
 */
export type Query = Select | UnionAll | With;

export interface Select {
  readonly kind: "select";
  /** May be empty, where only the number of rows matters. */
  readonly columns: readonly SelectColumn[];
  readonly from: FromItem;
  readonly joins: readonly Join[];
  /** The conditions that a row meets, all of them. */
  readonly where: readonly string[];
  /** Values, or places in the list of columns. */
  readonly groupBy: readonly (string | number)[];
  /** The conditions of which a group meets at least one; empty where every group is wanted. */
  readonly havingAny: readonly string[];
  /** Values, or places in the list of columns, by which rows come in ascending order, NULL last; empty where any order will do. */
  readonly orderBy: readonly (string | number)[];
  /** Whether the columns are to be computed once, however often a SELECT around this one names them. */
  readonly once: boolean;
  /** Whether its rows are all made before a SELECT around this one looks at any: no condition of that one is taken into this one's joins. */
  readonly fenced: boolean;
}

/** A value under a name; a plain text is a column that keeps its name. */
export type SelectColumn = string | NamedColumn;

export interface NamedColumn {
  readonly value: string;
  readonly as: string;
}

/** A relation behind FROM or JOIN. */
export type FromItem = TableSource | QuerySource | ListSource;

/** A relation by its name, as the dialect writes it. */
export interface TableSource {
  readonly kind: "table";
  readonly name: string;
  readonly as: string | null;
}

export interface QuerySource {
  readonly kind: "query";
  readonly query: Query;
  readonly as: string;
}

/** Rows that are written out. */
export interface ListSource {
  readonly kind: "list";
  readonly rows: readonly (readonly string[])[];
  readonly as: string;
  readonly columns: readonly string[];
}

/** SEMI and ANTI are known to some dialects alone. */
export type JoinType = "inner" | "left" | "right" | "full" | "semi" | "anti";
export type Join = SourceJoin | BesideJoin;

export interface SourceJoin {
  readonly kind: "join";
  /** Null is an inner join, written without the word. */
  readonly type: JoinType | null;
  readonly source: FromItem;
  /** The conditions that a pair of rows meets, all of them. */
  readonly on: readonly string[];
}

/**
 * Adds the value `as.v`, of the columns to its left. The engine computes it once for many rows in which these columns are the same,
 * where it can.
 */
export interface BesideJoin {
  readonly kind: "beside";
  readonly value: string;
  readonly as: string;
}

/** The rows of all parts, alike ones too. */
export interface UnionAll {
  readonly kind: "union-all";
  readonly parts: readonly Query[];
}

/** A query that reads tables made before it, each computed once where the engine can. */
export interface With {
  readonly kind: "with";
  readonly tables: readonly CommonTable[];
  readonly query: Query;
}

export interface CommonTable {
  readonly name: string;
  readonly query: Query;
}

export function select(
  columns: readonly SelectColumn[],
  from: FromItem,
  clauses: Partial<Omit<Select, "kind" | "columns" | "from">> = {},
): Select {
  const nothing = {
    joins: [],
    where: [],
    groupBy: [],
    havingAny: [],
    orderBy: [],
    once: false,
    fenced: false,
  };
  return Object.freeze({ kind: "select", columns, from, ...nothing, ...clauses });
}

/** A value under a name. */
export function named(value: string, as: string): NamedColumn {
  return Object.freeze({ value, as });
}

/** A relation by its name, which the dialect has written. */
export function table(name: string, as: string | null = null): TableSource {
  return Object.freeze({ kind: "table", name, as });
}

/** A query's rows under a name. */
export function rowsOf(query: Query, as: string): QuerySource {
  return Object.freeze({ kind: "query", query, as });
}

/** Rows that are written out, and the names of their columns. */
export function list(rows: ListSource["rows"], as: string, columns: readonly string[]): ListSource {
  return Object.freeze({ kind: "list", rows, as, columns });
}

export function join(source: FromItem, on: readonly string[], type: JoinType | null = null): SourceJoin {
  return Object.freeze({ kind: "join", type, source, on });
}

/** A join that adds one value of the columns to its left. */
export function beside(value: string, as: string): BesideJoin {
  return Object.freeze({ kind: "beside", value, as });
}

/** The rows of all parts; of one part the part itself. */
export function unionAll(parts: readonly Query[]): Query {
  return parts.length === 1 ? elementAt(parts, 0) : Object.freeze({ kind: "union-all", parts });
}

/** The query behind tables that it reads; without tables the query itself. */
export function withTables(tables: readonly CommonTable[], query: Query): Query {
  return tables.length === 0 ? query : Object.freeze({ kind: "with", tables, query });
}

/** The columns of one table, each under its own name. */
export function columnsOf(of: string, names: readonly string[]): readonly string[] {
  return names.map((name) => `${of}.${name}`);
}

/** The places 1 … count, for GROUP BY: a name could also be a column's. */
export function places(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}
