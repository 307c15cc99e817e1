import type { Adjacency, Rational } from "@lethe/core";
import type { TimeType } from "../expressions/calendar/times.ts";

export type { Adjacency } from "@lethe/core";

/** The owner's decisions: the questions that may be asked of each table, and their price. Read from YAML by ./read-policy.ts. */
export interface Policy {
  readonly version: 1;
  readonly privacyUnit: PrivacyUnit;
  /** The server that keeps every table; null where each lies in a file. */
  readonly database: DatabasePolicy | null;
  readonly tables: Readonly<Record<string, TablePolicy>>;
  /** The names of subqueries over the tables, and over the views before: a SELECT each, bound where a question reads it. */
  readonly views: Readonly<Record<string, string>>;
  readonly budget: BudgetPolicy;
  readonly defaults: QueryDefaults;
  /**
   * The public period, in milliseconds, within which an answer from tables that are read as they lie stands for the same question asked again; absent
   * where the policy states none. It decides what is charged and no answer's meaning, so it is in no hash.
   */
  readonly answersValid?: number;
  /**
   * The least ε of a question that reads private rows, so that whatever is learned beside its answer, as from the time that it took, can be counted in questions. Stated as `epsilon` is;
   * absent where the policy states none. It decides what is charged and no answer's meaning, so it is in no hash.
   */
  readonly leastEpsilon?: Rational;
  /**
   * The milliseconds that each statement of a plan is given, where answers leave at a time that follows from their plan: a plan that asks n statements leaves n times this after its charge. Absent where they leave when they are
   * ready. It is no part of an answer's meaning, so it is in no hash.
   */
  readonly releaseSchedule?: number;
}

/**
 * The unit that is protected: one `name` with all its rows. Under replace-one only the number of units is public, that of all
 * private tables together.
 */
export interface PrivacyUnit {
  readonly name: string;
  readonly adjacency: Adjacency;
}

/** The kinds of servers that keep tables. */
export type DatabaseKind = "postgres" | "trino";

/** The database of a policy. The environment says how to reach it: a policy is no place for a password. */
export interface DatabasePolicy {
  readonly kind: DatabaseKind;
  /** The environment variable that holds the connection's URL; null, for postgres alone: libpq's own variables (PGHOST, PGUSER …). */
  readonly urlVariable: string | null;
}

export interface TablePolicy {
  /** The path of the CSV, Parquet or .duckdb file, relative to the policy; null where a database keeps the table. */
  readonly file: string | null;
  /**
   * The relation inside a .duckdb file, the table's own name unless stated; in PostgreSQL schema.relation, in schema
   * public unless stated; in Trino catalog.schema.relation, of which the URL may state the first two.
   */
  readonly relation: string | null;
  /** The form in which a CSV is written (ignored for other files); never guessed from the data. */
  readonly csv: { readonly delimiter: string; readonly quote: string; readonly header: boolean };
  /**
   * Whether the owner vouches, where the database computes what is read (views, policies of rows, columns that are computed),
   * that reading the relation never fails because of a row, and that what one unit's rows give depends on no other unit's.
   */
  readonly trusted: boolean;
  /** The unit that each row belongs to; see {@link UnitPolicy}. */
  readonly unit: UnitPolicy;
  /** The column by which other tables reach a row of this one, or by which a public row is looked up; null if none. */
  readonly key: string | null;
  /** The limits on rows that joins rely on, and beyond which they read none; absent where the policy states none. */
  readonly joins?: JoinPolicy;
  readonly contribution: ContributionPolicy;
  readonly columns: Readonly<Record<string, ColumnPolicy>>;
  /** The public, rough number of rows: used by explain and by the policy lint alone. */
  readonly expectedRows: number | null;
}

/**
 * The way in which rows belong to units.
 * row: each row is one unit. column: the column names the unit. through: the row belongs to the unit whose row of another
 * table has this key, by one foreign key or several in a row. Rows that lead to no unit are dropped. public: the rows belong
 * to nobody, and are no secret.
 */
export type UnitPolicy =
  | { readonly kind: "row" }
  | { readonly kind: "column"; readonly column: string }
  | { readonly kind: "through"; readonly column: string; readonly references: ColumnOfTable }
  | { readonly kind: "public" };

/**
 * Limits on the rows that joins read. They are enforced in the engine's SQL, so that data that break the owner's word make
 * answers mean less, and cost no work.
 */
export interface JoinPolicy {
  /** The most rows of a public table with one value of a column. */
  readonly rowsPerKey?: Readonly<Record<string, number>>;
  /** The most rows of a public table. */
  readonly maxRows?: number;
  /** The most rows of one unit of a private table that are read where it is joined with rows of units. */
  readonly maxRowsBeforeJoin?: number;
}

export interface ColumnOfTable {
  readonly table: string;
  readonly column: string;
}

/** The contribution limits of one unit to one question. For unit: row both numbers are 1. */
export interface ContributionPolicy {
  readonly maxGroups: number;
  readonly maxRowsPerGroup: number;
  readonly limit: "groups-after-filter" | "rows-before-filter";
}

export type ColumnPolicy = NumberColumn | IntegerColumn | TextColumn | BooleanColumn | TimeColumn;

interface ColumnBase {
  /** Whether it may be NULL. A column with a default has no NULLs: NULL, NaN, ±Inf and unparsable values become the default. */
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
  /** The public categories: any other value becomes the default, or NULL. */
  readonly categories: readonly string[] | null;
  readonly default: string | null;
  /** The number of characters that longer values are cut to. */
  readonly maxLength: number;
}
export interface BooleanColumn extends ColumnBase {
  readonly type: "boolean";
  readonly default: boolean | null;
}

/** A column of times, in days or microseconds since 1970, UTC. A time outside the bounds becomes the default, or NULL. */
export interface TimeColumn extends ColumnBase {
  readonly type: TimeType;
  readonly bounds: readonly [number, number];
  readonly default: number | null;
  /** The length of the buckets, in days or microseconds, to whose begin a question's times are rounded that are compared with the column by order; absent where the policy rounds none. */
  readonly rounding?: number;
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
   * The file that keeps the ledger's head, relative to the policy: then an older ledger put back is refused, whoever asks. It
   * does not change the meaning of an answer, so it is no part of a hash or a certificate.
   */
  readonly headFile: string | null;
  /** The caps by name; a number alone is one of ε or ρ. Where any analyst is listed, these and the owner alone may ask; where none is, whoever can open the ledger. */
  readonly analysts: Readonly<Record<string, Rational | ScopePolicy>>;
  /** What a question may be asked for; absent where the policy states none. */
  readonly projects?: Readonly<Record<string, ProjectPolicy>>;
  /** Parts of the data with caps of their own; absent where the policy states none. */
  readonly dataSets?: Readonly<Record<string, DataSetPolicy>>;
  /** Caps of the account inside its lifetime's, over spans of the UTC calendar. */
  readonly windows?: readonly WindowPolicy[];
  /** "none": windows alone bound the account. Then ε and ρ are null, and δ is 0. */
  readonly lifetime?: "none";
  /** Whether analysts may see what the account has spent; false unless stated. */
  readonly showAccount?: boolean;
  /** Whether nothing more is charged, whatever is left; false unless stated. */
  readonly closed?: boolean;
}

/** A cap over one window of the UTC calendar. */
export interface WindowPolicy {
  readonly per: "day" | "week" | "month" | "quarter";
  /** ε of a pure or approximate account, ρ of a zcdp one. */
  readonly main: Rational;
  /** null: this window limits no δ. */
  readonly delta: Rational | null;
}

/** The caps of one scope. A number that is null or absent is not limited here. */
export interface ScopePolicy {
  /** ε or ρ over the lifetime. */
  readonly main: Rational | null;
  readonly delta?: Rational;
  /** Whether nobody else can take of the account what these caps grant. */
  readonly reserved?: boolean;
  readonly windows?: readonly WindowPolicy[];
}

/** A project's caps, and who may ask in it: where nobody is listed, every analyst. */
export interface ProjectPolicy extends ScopePolicy {
  readonly analysts?: Readonly<Record<string, ScopePolicy>>;
}

/** The caps of a part of the data, and its private tables. */
export interface DataSetPolicy extends Omit<ScopePolicy, "reserved"> {
  readonly tables: readonly string[];
}

/** The price of a question that states none. */
export interface QueryDefaults {
  readonly epsilon: Rational | null;
  readonly delta: Rational | null;
}
