import type { ColumnPolicy } from "../policy/policy.ts";
import type { UnitPath } from "../policy/unit-path.ts";
import { type ColumnExpression, children, type Expression } from "./expression.ts";
import type { UnitAggregate } from "./unit-aggregate.ts";
import { readByWindow, type UnitWindow } from "./unit-window.ts";

/**
 * The rows that a question is about. Each row belongs to exactly one unit (or to nobody, where all is public), and one
 * unit's rows do not depend on another's: see docs/decisions/0010-joins.md.
 */
export type Relation =
  | TableRelation
  | FilterRelation
  | SemijoinRelation
  | JoinRelation
  | UnionRelation
  | GroupedRelation
  | WindowedRelation;

/** What has columns of its own, under its name. */
export type Source = TableRelation | UnionRelation | GroupedRelation | WindowedRelation;

/** Cleaned rows of one table; those that lead to no unit are dropped. */
export interface TableRelation {
  readonly kind: "table";
  readonly table: string;
  /** By which expressions know its columns, different for each table of a question; null where there is but one. */
  readonly source: string | null;
  readonly unit: UnitPath;
  /** Of a public table: only one row for each value of this column is read; null for all rows. */
  readonly oncePer: string | null;
  /** What else bounds the rows that are read, where joins need it: each holds of what the one before leaves. */
  readonly limits?: readonly RowLimit[];
  /** The policy of every column that is read: a value means what remains of it after this cleaning. */
  readonly columns: Readonly<Record<string, ColumnPolicy>>;
}

/**
 * At most so many rows, those that come first: of a public table in the order of all that is read, for each value of a column or in
 * all; of a private one by the keyed hash of all that is read, of each unit, or of each of its keys as they are written.
 */
export type RowLimit =
  | { readonly per: "value" | "unit-and-key"; readonly column: string; readonly rows: number }
  | { readonly per: "table" | "unit"; readonly rows: number };

/** The rows where a condition is true. */
export interface FilterRelation {
  readonly kind: "filter";
  readonly of: Relation;
  readonly where: Expression;
}

/** The rows for which a public relation holds a row that meets the condition with them, or holds none. */
export interface SemijoinRelation {
  readonly kind: "semijoin";
  readonly of: Relation;
  /** Its columns are read by the condition alone. */
  readonly among: Relation;
  readonly on: Expression;
  /** Rows that meet none are kept. */
  readonly not: boolean;
}

/**
 * Pairs of rows where the keys are equal as they are written and the condition is true; of two private sides only pairs
 * of one unit, whatever the condition says. Outer joins keep unmatched rows of private sides alone.
 */
export interface JoinRelation {
  readonly kind: "join";
  readonly type: "inner" | "left" | "right" | "full";
  readonly left: Relation;
  readonly right: Relation;
  readonly keys: readonly JoinedKeys[];
  readonly on: Expression | null;
}

/**
 * All rows of several relations of one kind of unit. Each value is put where a column of that policy keeps it: a number with
 * bounds on their grid.
 */
export interface UnionRelation {
  readonly kind: "union";
  /** By which expressions know its columns. */
  readonly source: string;
  readonly columns: Readonly<Record<string, ColumnPolicy>>;
  readonly parts: readonly UnionPart[];
}

export interface UnionPart {
  readonly of: Relation;
  /** The value of each of the union's columns. */
  readonly values: Readonly<Record<string, Expression>>;
}

/** One row for each unit, or for each combination of keys that a unit's rows have: what those rows come to. */
export interface GroupedRelation {
  readonly kind: "grouped";
  /** By which expressions know its columns. */
  readonly source: string;
  /** Keys and values: each is put where its column keeps it, keys before rows are told apart by them. */
  readonly columns: Readonly<Record<string, ColumnPolicy>>;
  readonly of: Relation;
  /** Beside the unit. */
  readonly keys: Readonly<Record<string, Expression>>;
  readonly values: Readonly<Record<string, UnitAggregate>>;
}

/** The same rows, with values made of rows of the same unit. */
export interface WindowedRelation {
  readonly kind: "windowed";
  /** By which expressions know its own columns. */
  readonly source: string;
  /** Each value is put where its column keeps it. */
  readonly columns: Readonly<Record<string, ColumnPolicy>>;
  readonly of: Relation;
  readonly values: Readonly<Record<string, UnitWindow>>;
}

export interface JoinedKeys {
  readonly left: KeyOfSource;
  readonly right: KeyOfSource;
}

/** A column by which the policy reaches rows: the table's own key, or the first of its way to the unit. */
export interface KeyOfSource {
  readonly source: string;
  readonly column: string;
}

/** The tables of a relation, from left to right; those of a semijoin's condition too. */
export function tablesOf(relation: Relation): readonly TableRelation[] {
  switch (relation.kind) {
    case "table":
      return [relation];
    case "filter":
    case "grouped":
    case "windowed":
      return tablesOf(relation.of);
    case "semijoin":
      return [...tablesOf(relation.of), ...tablesOf(relation.among)];
    case "union":
      return relation.parts.flatMap(({ of }) => tablesOf(of));
    case "join":
      return [...tablesOf(relation.left), ...tablesOf(relation.right)];
  }
}

/** Those whose columns a relation's rows have. */
export function shownSources(relation: Relation): readonly Source[] {
  switch (relation.kind) {
    case "table":
    case "union":
    case "grouped":
      return [relation];
    case "windowed":
      return [...shownSources(relation.of), relation];
    case "filter":
    case "semijoin":
      return shownSources(relation.of);
    case "join":
      return [...shownSources(relation.left), ...shownSources(relation.right)];
  }
}

/** Everything whose columns are read somewhere within a relation. */
export function allSources(relation: Relation): readonly Source[] {
  switch (relation.kind) {
    case "table":
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
    case "join":
      return [...allSources(relation.left), ...allSources(relation.right)];
  }
}

/** What a relation's rows are: rows of units that a column names, units themselves, or nobody's. */
export function ownerOf(relation: Relation): UnitPath["kind"] {
  const kinds = tablesOf(relation).map(({ unit }) => unit.kind);
  return kinds.find((kind) => kind !== "public") ?? "public";
}

/** Whether a column names the unit of every row: its table has every row a part in it. */
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
    case "union":
    case "grouped":
    case "windowed":
      return false;
    case "filter":
    case "semijoin":
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

/** The expressions of a relation's own: conditions of its filters and joins, values of its unions and groups. */
export function conditionsOf(relation: Relation): readonly Expression[] {
  switch (relation.kind) {
    case "table":
      return [];
    case "filter":
      return [...conditionsOf(relation.of), relation.where];
    case "semijoin":
      return [...conditionsOf(relation.of), ...conditionsOf(relation.among), relation.on];
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

/** What a grouping reads of the rows that it groups. */
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

/** Columns that name the unit, as a question may call them; null where rows are units. */
export function unitNames(relation: Relation): readonly string[] | null {
  if (ownerOf(relation) === "row") return null;
  return tablesOf(relation).flatMap(({ unit }) =>
    unit.kind === "column" && unit.path.length === 0 ? [unit.column] : [],
  );
}

/** The same relation with other tables. */
export function mapTables(relation: Relation, change: (table: TableRelation) => TableRelation): Relation {
  switch (relation.kind) {
    case "table":
      return change(relation);
    case "filter":
    case "grouped":
    case "windowed":
      return { ...relation, of: mapTables(relation.of, change) };
    case "semijoin":
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

/** The policy of a column that an expression reads. Errors: TypeError where the relation does not have it. */
export function policyOf(relation: Relation, { source, name }: ColumnExpression): ColumnPolicy {
  const found = allSources(relation).find((candidate) => candidate.source === (source ?? null));
  const column = found && Object.hasOwn(found.columns, name) ? found.columns[name] : undefined;
  if (!column) throw new TypeError(`no column ${name} is read`);
  return column;
}
