import { type ColumnExpression, children, type Expression } from "../expressions/expression.ts";
import type { ColumnPolicy } from "../policy/policy.ts";
import type { UnitPath } from "../policy/unit-path.ts";
import type { UnitAggregate } from "./unit-aggregate.ts";
import { readByWindow, type UnitWindow } from "./unit-window.ts";

/**
 * The rows that a question is about. Each row belongs to exactly one unit (or to nobody, where all is public), and one
 * unit's rows do not depend on another's: see docs/architecture/joins.md.
 */
export type Relation =
  | TableRelation
  | ListRelation
  | FilterRelation
  | SemijoinRelation
  | JoinRelation
  | UnionRelation
  | GroupedRelation
  | WindowedRelation
  | MarkedRelation;

/** A relation that gives its rows columns of its own, under its name. */
export type Source =
  | TableRelation
  | ListRelation
  | UnionRelation
  | GroupedRelation
  | WindowedRelation
  | MarkedRelation;

/** Cleaned rows of one table; those that lead to no unit are dropped. */
export interface TableRelation {
  readonly kind: "table";
  readonly table: string;
  /** The name by which expressions know its columns, different for each table of a question; null where there is only one. */
  readonly source: string | null;
  readonly unit: UnitPath;
  /** The column of a public table for each value of which only one row is read; null for all rows. */
  readonly oncePer: string | null;
  /** Further limits on the rows that are read, where joins need them. Each applies to the rows that the one before leaves. */
  readonly limits?: readonly RowLimit[];
  /** The policy of every column that is read: expressions see values after this cleaning. */
  readonly columns: Readonly<Record<string, ColumnPolicy>>;
}

/**
 * A limit of so many rows, those that come first. A public table is limited for each value of a column, or as a whole, in the
 * order of all columns that are read. A private table is limited for each unit, or for each of the unit's keys as they are
 * written, in the order of a keyed hash of all columns that are read.
 */
export type RowLimit =
  | { readonly per: "value" | "unit-and-key"; readonly column: string; readonly rows: number }
  | { readonly per: "table" | "unit"; readonly rows: number };

/** Rows that the question writes out: VALUES, a list in UNNEST, a series. They are nobody's. */
export interface ListRelation {
  readonly kind: "list";
  /** The name by which expressions know its columns. */
  readonly source: string;
  readonly columns: Readonly<Record<string, ColumnPolicy>>;
  /** The columns' names, in the order of a row's values. */
  readonly names: readonly string[];
  /** Texts, truth values and whole numbers; dates and timestamps by their number. */
  readonly rows: readonly (readonly (string | number | boolean)[])[];
}

/** The rows where a condition is true. */
export interface FilterRelation {
  readonly kind: "filter";
  readonly of: Relation;
  readonly where: Expression;
  /** Whether the rows are all made before any is looked at: no engine takes the condition for one of the joins below. */
  readonly fenced?: true;
}

/** The rows for which a public relation holds a row that meets the condition with them, or holds no such row. */
export interface SemijoinRelation {
  readonly kind: "semijoin";
  readonly of: Relation;
  /** The public relation, whose columns the condition alone reads. */
  readonly among: Relation;
  readonly on: Expression;
  /** Whether rows that meet none are kept, instead of those that meet one. */
  readonly not: boolean;
}

/**
 * The pairs of rows where the keys are equal as they are written and the condition is true. Of two private sides only pairs of
 * one unit are kept, whatever the condition says. Outer joins keep unmatched rows of private sides alone.
 */
export interface JoinRelation {
  readonly kind: "join";
  readonly type: "inner" | "left" | "right" | "full";
  readonly left: Relation;
  readonly right: Relation;
  readonly keys: readonly JoinedKeys[];
  readonly on: Expression | null;
  /**
   * The side of an inner join whose rows are all public and were to be kept by an outer join: each of its groups is answered, whether a private row meets it or not. No row that
   * is nobody's is made. Absent elsewhere.
   */
  readonly keeps?: "left" | "right";
}

/**
 * All rows of several relations with one kind of unit. Each value is converted to what a column of its policy can hold: a number
 * with bounds is rounded to their grid.
 */
export interface UnionRelation {
  readonly kind: "union";
  /** The name by which expressions know its columns. */
  readonly source: string;
  readonly columns: Readonly<Record<string, ColumnPolicy>>;
  readonly parts: readonly UnionPart[];
}

export interface UnionPart {
  readonly of: Relation;
  /** The value of each of the union's columns. */
  readonly values: Readonly<Record<string, Expression>>;
}

/** One row for each unit, or for each combination of a unit and keys, with aggregates of the unit's rows. */
export interface GroupedRelation {
  readonly kind: "grouped";
  /** The name by which expressions know its columns. */
  readonly source: string;
  /** The columns of keys and values, which are converted to what these hold: keys before rows are grouped by them. */
  readonly columns: Readonly<Record<string, ColumnPolicy>>;
  readonly of: Relation;
  /** The keys besides the unit. */
  readonly keys: Readonly<Record<string, Expression>>;
  readonly values: Readonly<Record<string, UnitAggregate>>;
}

/** The same rows, with values computed from rows of the same unit. */
export interface WindowedRelation {
  readonly kind: "windowed";
  /** The name by which expressions know its own columns. */
  readonly source: string;
  /** The columns of the values. Each value is converted to what its column can hold. */
  readonly columns: Readonly<Record<string, ColumnPolicy>>;
  readonly of: Relation;
  readonly values: Readonly<Record<string, UnitWindow>>;
}

/**
 * The same rows, each with a mark: whether `among` holds a row that meets the condition with it, where the keys are equal as they
 * are written. `among` is public, or its rows are of the same units: then only rows of one unit meet, whatever the condition says.
 */
export interface MarkedRelation {
  readonly kind: "marked";
  /** The name by which expressions know the mark. */
  readonly source: string;
  /** The one column: a boolean that is never NULL. */
  readonly columns: Readonly<Record<string, ColumnPolicy>>;
  readonly of: Relation;
  /** The relation whose columns the condition alone reads. */
  readonly among: Relation;
  readonly keys: readonly JoinedKeys[];
  readonly on: Expression | null;
}

export interface JoinedKeys {
  readonly left: KeyOfSource;
  readonly right: KeyOfSource;
}

/** A column by which the policy links rows to units: the table's own key, or the first column of its path to the unit. */
export interface KeyOfSource {
  readonly source: string;
  readonly column: string;
}

/** Returns the tables of a relation, from left to right, with those that semijoins and marks look at. */
export function tablesOf(relation: Relation): readonly TableRelation[] {
  switch (relation.kind) {
    case "table":
      return [relation];
    case "list":
      return [];
    case "filter":
    case "grouped":
    case "windowed":
      return tablesOf(relation.of);
    case "semijoin":
    case "marked":
      return [...tablesOf(relation.of), ...tablesOf(relation.among)];
    case "union":
      return relation.parts.flatMap(({ of }) => tablesOf(of));
    case "join":
      return [...tablesOf(relation.left), ...tablesOf(relation.right)];
  }
}

/** Returns the sources whose columns a relation's rows have. */
export function shownSources(relation: Relation): readonly Source[] {
  switch (relation.kind) {
    case "table":
    case "list":
    case "union":
    case "grouped":
      return [relation];
    case "windowed":
    case "marked":
      return [...shownSources(relation.of), relation];
    case "filter":
    case "semijoin":
      return shownSources(relation.of);
    case "join":
      return [...shownSources(relation.left), ...shownSources(relation.right)];
  }
}

/** Returns every source whose columns are read somewhere within a relation. */
export function allSources(relation: Relation): readonly Source[] {
  switch (relation.kind) {
    case "table":
    case "list":
      return [relation];
    case "grouped":
    case "windowed":
      return [relation, ...allSources(relation.of)];
    case "union":
      return [relation, ...relation.parts.flatMap(({ of }) => allSources(of))];
    case "filter":
      return allSources(relation.of);
    case "semijoin":
      return [...allSources(relation.of), ...allSources(relation.among)];
    case "marked":
      return [relation, ...allSources(relation.of), ...allSources(relation.among)];
    case "join":
      return [...allSources(relation.left), ...allSources(relation.right)];
  }
}

/** Returns the lists of a relation, from left to right. */
export function listsOf(relation: Relation): readonly ListRelation[] {
  return allSources(relation).flatMap((source) => (source.kind === "list" ? [source] : []));
}

/** Returns the names of the sources of public rows whose groups are all answered; null where no join keeps any. */
export function keptSources(relation: Relation): ReadonlySet<string> | null {
  if (relation.kind === "filter" || relation.kind === "marked") return keptSources(relation.of);
  if (relation.kind !== "join") return null;
  if (relation.keeps === undefined) return keptSources(relation.left) ?? keptSources(relation.right);
  return new Set(allSources(relation[relation.keeps]).map(({ source }) => source ?? ""));
}

/** Returns the most rows of a list that have the same value in a column. */
export function listedWith({ names, rows }: Pick<ListRelation, "names" | "rows">, column: string): number {
  const at = names.indexOf(column);
  if (at < 0) return Number.POSITIVE_INFINITY;
  const counts = new Map<unknown, number>();
  for (const row of rows) counts.set(row[at], (counts.get(row[at]) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

/** Returns who owns a relation's rows: units that a column names, the rows themselves as units, or nobody. */
export function ownerOf(relation: Relation): UnitPath["kind"] {
  const kinds = tablesOf(relation).map(({ unit }) => unit.kind);
  return kinds.find((kind) => kind !== "public") ?? "public";
}

/** Whether a column names the unit of every row: no join leaves its table out of a row. */
export function namesEveryUnit(relation: Relation, key: KeyOfSource): boolean {
  switch (relation.kind) {
    case "table": {
      const { source, unit } = relation;
      return (
        source === key.source &&
        unit.kind === "column" &&
        unit.path.length === 0 &&
        unit.column === key.column
      );
    }
    case "list":
    case "union":
    case "grouped":
    case "windowed":
      return false;
    case "filter":
    case "semijoin":
    case "marked":
      return namesEveryUnit(relation.of, key);
    case "join": {
      const { type, left, right } = relation;
      return (
        (type !== "right" && type !== "full" && namesEveryUnit(left, key)) ||
        (type !== "left" && type !== "full" && namesEveryUnit(right, key))
      );
    }
  }
}

/** Returns the expressions of a relation: conditions of its filters, joins and marks, values of its unions, groups and windows. */
export function conditionsOf(relation: Relation): readonly Expression[] {
  switch (relation.kind) {
    case "table":
    case "list":
      return [];
    case "filter":
      return [...conditionsOf(relation.of), relation.where];
    case "semijoin":
      return [...conditionsOf(relation.of), ...conditionsOf(relation.among), relation.on];
    case "marked":
      return [
        ...conditionsOf(relation.of),
        ...conditionsOf(relation.among),
        ...(relation.on ? [relation.on] : []),
      ];
    case "union":
      return relation.parts.flatMap(({ of, values }) => [...conditionsOf(of), ...Object.values(values)]);
    case "grouped":
      return [...conditionsOf(relation.of), ...readIn(relation)];
    case "windowed":
      return [...conditionsOf(relation.of), ...Object.values(relation.values).flatMap(readByWindow)];
    case "join":
      return [
        ...conditionsOf(relation.left),
        ...conditionsOf(relation.right),
        ...(relation.on ? [relation.on] : []),
      ];
  }
}

/** Returns the expressions that a grouping reads on the rows that it groups. */
export function readIn({ keys, values }: GroupedRelation): readonly Expression[] {
  const read = Object.values(values).flatMap(({ argument }) => argument ?? []);
  return [...Object.values(keys), ...read];
}

/** The sources whose columns an expression reads. */
export function sourcesRead(expression: Expression): ReadonlySet<string> {
  const read = new Set<string>();
  const visit = (part: Expression): void => {
    if (part.kind === "column") read.add(part.source ?? "");
    for (const child of children(part)) visit(child);
  };
  visit(expression);
  return read;
}

/** Returns the columns that name the unit, as a question may call them; null where rows are units. */
export function unitNames(relation: Relation): readonly string[] | null {
  if (ownerOf(relation) === "row") return null;
  return tablesOf(relation).flatMap(({ unit }) =>
    unit.kind === "column" && unit.path.length === 0 ? [unit.column] : [],
  );
}

/** Returns the same relation with other tables. */
export function mapTables(relation: Relation, change: (table: TableRelation) => TableRelation): Relation {
  switch (relation.kind) {
    case "table":
      return change(relation);
    case "list":
      return relation;
    case "filter":
    case "grouped":
    case "windowed":
      return { ...relation, of: mapTables(relation.of, change) };
    case "semijoin":
    case "marked":
      return { ...relation, of: mapTables(relation.of, change), among: mapTables(relation.among, change) };
    case "union":
      return {
        ...relation,
        parts: relation.parts.map((part) => ({ ...part, of: mapTables(part.of, change) })),
      };
    case "join":
      return {
        ...relation,
        left: mapTables(relation.left, change),
        right: mapTables(relation.right, change),
      };
  }
}

/** Returns the policy of a column that an expression reads. Errors: TypeError where the relation does not have it. */
export function policyOf(relation: Relation, { source, name }: ColumnExpression): ColumnPolicy {
  const found = allSources(relation).find((candidate) => candidate.source === (source ?? null));
  const column = found && Object.hasOwn(found.columns, name) ? found.columns[name] : undefined;
  if (!column) throw new TypeError(`no column ${name} is read`);
  return column;
}
