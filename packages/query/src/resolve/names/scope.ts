import { elementAt, lastElement } from "@lethe/core/numeric";
import type { ColumnRef, Node } from "@pgsql/types";
import type { ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import type { Domain } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import {
  booleanDomain,
  finiteDomain,
  numberDomain,
  textDomain,
} from "../../expressions/operators/domains.ts";
import { maxTimeValues } from "../../expressions/operators/times.ts";
import { writeColumn, writeName } from "../../expressions/write-sql.ts";
import type { ColumnOfTable, ColumnPolicy } from "../../policy/policy.ts";
import { didYouMean, nearestName } from "../../refusals/did-you-mean.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { KeyOfSource, Relation } from "../../relations/relation.ts";

/** The meaning of names while one question is resolved. */
export interface Scope {
  readonly from: Relation;
  readonly sources: readonly ScopeSource[];
  /** The columns that USING made one of two. A bare name finds them before all others. */
  readonly merged: readonly ScopeColumn[];
  readonly build: ExpressionBuilder;
  /** The marks of rows by subqueries that are asked whether they have rows, by what the subquery means. */
  readonly marks?: ReadonlyMap<string, Expression>;
  /**
   * Where it is there, a misspelled column means the nearest one, and an ambiguous one the first: to suggest a question, never to answer one. It holds names, in lower case, that are
   * no misspellings, for they are columns of other tables.
   */
  readonly forgiving?: ReadonlySet<string>;
}

/** A table or subquery of FROM under the name that qualifies its columns: the alias, or the table's own. */
export interface ScopeSource {
  readonly name: string;
  readonly columns: readonly ScopeColumn[];
}

export interface ScopeColumn {
  readonly name: string;
  /** Returns its value, or refuses where the question cannot compute with it. */
  readonly expression: (offset: number | undefined) => Expression;
  /** The key that its values are, and the place where the relation has that key (null where it has none); null for other columns. */
  readonly key: { readonly of: ColumnOfTable; readonly at: KeyOfSource | null } | null;
  /** Whether it names the unit of every row. */
  readonly isUnit: boolean;
  /** Whether it names the unit of each row where it is not missing. */
  readonly namesUnit: boolean;
  /** Returns a boolean that is NULL where the row of an outer join has no row on this side; for columns of units that are asked about. */
  readonly present?: (offset: number | undefined) => Expression;
}

/** The largest span of bounds, in values, for which an integer column has public keys. */
export const enumerableSpan: number = 100;

/**
 * The key of a policy map that a name of the question means: the very same, or else the one that differs by case alone
 * (PostgreSQL folds bare names to lower case, and columns are called "Wage"). The policy keeps such names apart.
 */
export function resolveName(asked: string, known: readonly string[]): string | null {
  if (known.includes(asked)) return asked;
  const folded = asked.toLowerCase();
  return known.find((name) => name.toLowerCase() === folded) ?? null;
}

export function columnDomain(column: ColumnPolicy): Domain {
  const { nullable } = column;
  const withNull = nullable ? [null] : [];
  switch (column.type) {
    case "boolean":
      return booleanDomain(nullable);
    case "text":
      return column.categories
        ? finiteDomain("text", [...column.categories, ...withNull])
        : textDomain(column.maxLength, nullable);
    case "number":
      return { ...numberDomain(column.bounds, false, nullable), nullable };
    case "date":
    case "timestamp": {
      const [lo, hi] = column.bounds;
      if (hi - lo >= maxTimeValues)
        return { type: column.type, bounds: column.bounds, nullable, values: null };
      return finiteDomain(column.type, [
        ...Array.from({ length: hi - lo + 1 }, (_, i) => lo + i),
        ...withNull,
      ]);
    }
    case "integer": {
      if (column.categories) return finiteDomain("number", [...column.categories, ...withNull]);
      if (!column.bounds) return { type: "number", bounds: null, integer: true, nullable, values: null };
      const [lo, hi] = column.bounds;
      const span = hi - lo + 1;
      if (span > enumerableSpan) return numberDomain(column.bounds, true, nullable);
      return finiteDomain("number", [...Array.from({ length: span }, (_, i) => lo + i), ...withNull]);
    }
  }
}

/** Returns the names of a possibly qualified reference; null for one that ends in a star. */
export function fieldNames(fields: readonly Node[] = []): readonly string[] | null {
  const names = fields.map((field) => ("String" in field ? (field.String.sval ?? "") : null));
  return names.includes(null) ? null : (names as string[]);
}

/** Returns the columns that a bare name can mean. */
export function columnsNamed(name: string, { sources, merged }: Scope): readonly ScopeColumn[] {
  const among = (columns: readonly ScopeColumn[]): ScopeColumn[] => {
    const found = resolveName(
      name,
      columns.map((column) => column.name),
    );
    return columns.filter((column) => column.name === found);
  };
  const joined = among(merged);
  return joined.length > 0 ? joined : sources.flatMap(({ columns }) => among(columns));
}

/** Returns the column that a reference means. Errors: query.unknown-table, query.unknown-column, query.unsupported (a star, a schema). */
export function findColumn(reference: ColumnRef, scope: Scope): ScopeColumn {
  const { location } = reference;
  const names = fieldNames(reference.fields);
  if (!names)
    refuse(
      "query.unsupported",
      "* stands for rows, and single rows are never shown",
      "ask for aggregates",
      location,
    );
  if (names.length > 2)
    refuse(
      "query.unsupported",
      "a column is named by itself or behind its table",
      `write ${writeName(lastElement(names))}`,
      location,
    );
  const name = lastElement(names);
  const within =
    names.length === 2
      ? { ...scope, sources: [sourceNamed(elementAt(names, 0), scope, location)], merged: [] }
      : scope;
  const [found, ...others] = columnsNamed(
    scope.forgiving ? respelt(name, within, scope.forgiving) : name,
    within,
  );
  if (!found)
    refuse(
      "query.unknown-column",
      `there is no column ${JSON.stringify(name)} in ${within.sources.map((source) => source.name).join(", ")}`,
      didYouMean(name, columnNames(within)),
      location,
    );
  if (others.length > 0 && !scope.forgiving)
    refuse(
      "query.unknown-column",
      `${JSON.stringify(name)} could be several columns`,
      `write ${candidates(name, within).join(" or ")}`,
      location,
    );
  return found;
}

function respelt(name: string, scope: Scope, known: ReadonlySet<string>): string {
  if (hasColumn(name, scope) || known.has(name.toLowerCase())) return name;
  return nearestName(name, columnNames(scope)) ?? name;
}

function columnNames({ sources }: Scope): string[] {
  return [...new Set(sources.flatMap(({ columns }) => columns.map((known) => known.name)))];
}

function sourceNamed(qualifier: string, { sources }: Scope, location: number | undefined): ScopeSource {
  const known = sources.map(({ name }) => name);
  const found = resolveName(qualifier, known);
  if (found === null)
    refuse(
      "query.unknown-table",
      `FROM has no table or alias ${JSON.stringify(qualifier)}`,
      `write ${known.map(writeName).join(" or ")}`,
      location,
    );
  return sources.find(({ name }) => name === found)!;
}

function candidates(name: string, scope: Scope): string[] {
  return scope.sources.flatMap((source) =>
    columnsNamed(name, { ...scope, sources: [source], merged: [] }).map((column) =>
      writeColumn({ source: source.name, name: column.name }),
    ),
  );
}

/** A reference to a column by the parts of its name, as the grammar would read it. */
export function columnReference(parts: readonly string[], location: number | undefined): ColumnRef {
  return {
    fields: parts.map((sval) => ({ String: { sval } })),
    ...(location === undefined ? {} : { location }),
  };
}

export function hasColumn(name: string, scope: Scope): boolean {
  return columnsNamed(name, scope).length > 0;
}

/** Writes the unit as it is named in a question, ready to be counted; null where no column names it. */
export function unitSql(scope: Scope): string | null {
  const merged = scope.merged.find(({ isUnit }) => isUnit);
  if (merged) return writeName(merged.name);
  for (const source of scope.sources) {
    const column = source.columns.find(({ isUnit }) => isUnit);
    if (!column) continue;
    const bare = columnsNamed(column.name, scope).length === 1;
    return bare ? writeName(column.name) : writeColumn({ source: source.name, name: column.name });
  }
  return null;
}

export function resolveColumn(reference: ColumnRef, scope: Scope): Expression {
  return findColumn(reference, scope).expression(reference.location);
}

/** Returns whether a row has the unit that a column names, where it may be missing: the row of an outer join found nothing. Null elsewhere. */
export function presenceOf(
  column: ScopeColumn | null,
  scope: Scope,
  offset: number | undefined,
): Expression | null {
  if (!column?.present || column.isUnit) return null;
  return scope.build.call("is-true", [column.present(offset)], offset);
}
