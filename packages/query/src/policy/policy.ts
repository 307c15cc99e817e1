import type { Adjacency, Rational } from "@lethe/core";
import type { TimeType } from "../calendar/times.ts";

export type { Adjacency } from "@lethe/core";

/** The owner's word: what may be asked of which data at which price. Read from YAML by ./read-policy.ts. */
export interface Policy {
  readonly version: 1;
  readonly privacyUnit: PrivacyUnit;
  /** The server that keeps every table; null where each lies in a file. */
  readonly database: DatabasePolicy | null;
  readonly tables: Readonly<Record<string, TablePolicy>>;
  /** Names of subqueries over the tables, and over the views before: a SELECT each, bound where a question reads it. */
  readonly views: Readonly<Record<string, string>>;
  readonly budget: BudgetPolicy;
  readonly defaults: QueryDefaults;
}

/** Who is protected: one `name` with all its rows. Under replace-one only the number of units is public, of all private tables together. */
export interface PrivacyUnit {
  readonly name: string;
  readonly adjacency: Adjacency;
}

/** How to reach it is the environment's to say: a policy is no place for a password. */
export interface DatabasePolicy {
  readonly kind: "postgres";
  /** Environment variable that holds the connection's URL; null: libpq's own variables (PGHOST, PGUSER …). */
  readonly urlVariable: string | null;
}

export interface TablePolicy {
  /** Path of the CSV, Parquet or .duckdb file, relative to the policy; null where a database keeps the table. */
  readonly file: string | null;
  /**
   * The relation inside a .duckdb file, the table's own name unless stated; in PostgreSQL schema.relation, in schema
   * public unless stated.
   */
  readonly relation: string | null;
  /** How a CSV is written (ignored for other files); never guessed from the data. */
  readonly csv: { readonly delimiter: string; readonly quote: string; readonly header: boolean };
  /**
   * The owner's word that reading the relation never fails because of a row, and that what one unit's rows give depends on no
   * other unit's, where the database computes what is read: views, policies of rows, columns that are computed.
   */
  readonly trusted: boolean;
  /** Whose each row is; see {@link UnitPolicy}. */
  readonly unit: UnitPolicy;
  /** The column by which other tables reach a row of this one, or by which a public row is looked up; null if none. */
  readonly key: string | null;
  /** What joins may count on, and read no rows beyond; absent where the policy says nothing of it. */
  readonly joins?: JoinPolicy;
  readonly contribution: ContributionPolicy;
  readonly columns: Readonly<Record<string, ColumnPolicy>>;
  /** Public, rough number of rows: used by explain and by the policy lint alone. */
  readonly expectedRows: number | null;
}

/**
 * row: each row is one unit. column: the column names the unit. through: the row is the unit's whose row of another
 * table has this key, by one foreign key or several in a row. Rows that lead to no unit are dropped. public: nobody's,
 * and no secret.
 */
export type UnitPolicy =
  | { readonly kind: "row" }
  | { readonly kind: "column"; readonly column: string }
  | { readonly kind: "through"; readonly column: string; readonly references: ColumnOfTable }
  | { readonly kind: "public" };

/** Enforced in the engine's SQL, so that data that break the owner's word cost meaning, and no work. */
export interface JoinPolicy {
  /** Of a public table: the most rows with one value of a column. */
  readonly rowsPerKey?: Readonly<Record<string, number>>;
  /** Of a public table: the most rows there are. */
  readonly maxRows?: number;
  /** Of a private table: the most rows of one unit that are read where it is joined with rows of units. */
  readonly maxRowsBeforeJoin?: number;
}

export interface ColumnOfTable {
  readonly table: string;
  readonly column: string;
}

/** How much one unit may contribute to one question. For unit: row both numbers are 1. */
export interface ContributionPolicy {
  readonly maxGroups: number;
  readonly maxRowsPerGroup: number;
  readonly bound: "groups-after-filter" | "rows-before-filter";
}

export type ColumnPolicy = NumberColumn | IntegerColumn | TextColumn | BooleanColumn | TimeColumn;

interface ColumnBase {
  /** May be NULL. A column with a default has no NULLs: NULL, NaN, ±Inf and unparsable values become the default. */
  readonly nullable: boolean;
}
export interface NumberColumn extends ColumnBase {
  readonly type: "number";
  readonly bounds: readonly [number, number] | null;
  readonly default: number | null;
}
export interface IntegerColumn extends ColumnBase {
  readonly type: "integer";
  readonly bounds: readonly [number, number] | null;
  readonly categories: readonly number[] | null;
  readonly default: number | null;
}
export interface TextColumn extends ColumnBase {
  readonly type: "text";
  /** Public categories: any other value becomes the default, or NULL. */
  readonly categories: readonly string[] | null;
  readonly default: string | null;
  /** Longer values are cut to this many characters. */
  readonly maxLength: number;
}
export interface BooleanColumn extends ColumnBase {
  readonly type: "boolean";
  readonly default: boolean | null;
}

/** In days or microseconds since 1970, UTC. What lies outside the bounds is no such time: it becomes the default, or NULL. */
export interface TimeColumn extends ColumnBase {
  readonly type: TimeType;
  readonly bounds: readonly [number, number];
  readonly default: number | null;
}

/**
 * The account of the data source. pure: ε. approximate: ε and δ add up. zcdp: ρ adds up; written as ρ, or as (ε, δ),
 * from which ρ is derived. Analysts hold sub-caps of it. The ledger holds it too, and a policy that was edited since is
 * refused until `lethe budget apply` has put the change on record.
 */
export interface BudgetPolicy {
  readonly measure: "pure" | "approximate" | "zcdp";
  readonly epsilon: Rational | null;
  readonly delta: Rational;
  readonly rho: Rational | null;
  /**
   * Where the ledger's head is kept, relative to the policy: then an older ledger put back is refused, whoever asks. It gives no
   * answer its meaning, so it is no part of a hash or a certificate.
   */
  readonly headFile: string | null;
  /** Sub-caps by name. Where any is listed, these and the owner alone may ask; where none is, whoever can open the ledger. */
  readonly analysts: Readonly<Record<string, Rational>>;
  /** Nothing more is charged, whatever is left; false unless stated. */
  readonly closed?: boolean;
}

/** What a question costs where it does not say. */
export interface QueryDefaults {
  readonly epsilon: Rational | null;
  readonly delta: Rational | null;
}
