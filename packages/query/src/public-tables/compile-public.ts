import type { Node, RangeVar } from "@pgsql/types";
import { brandPublic, type CompiledPublic } from "../compile/compiled-public.ts";
import type { StorageOf } from "../compile/stored/storage-of.ts";
import { scaledFromGrid } from "../compile/stored/stored-reader.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { dialects } from "../dialects/index.ts";
import { gridOf } from "../grid/grid.ts";
import type { PublicValues } from "../over/public-values.ts";
import { entryOf } from "../policy/entry-of.ts";
import type { ColumnPolicy, Policy } from "../policy/policy.ts";
import { viewsOf } from "../resolve/from/tables/policy-views.ts";
import { publicTableNamed } from "../resolve/from/tables/resolve-table.ts";
import { nodesOf } from "../resolve/names/nodes.ts";
import { fieldNames, resolveName } from "../resolve/names/scope.ts";
import { isBare, type PublicQuestion } from "./public-question.ts";
import { writeExpression } from "./write-expression.ts";
import { writeSelect } from "./write-select.ts";
import { unknownHere, type Writing } from "./writing.ts";

/** The most rows that an answer about public tables has. */
export const mostPublicRows = 10_000;

/**
 * Writes a question of public tables as SQL of an engine. Errors: query.unsupported and query.unknown-function for what such a question cannot say.
 * @example compilePublic(question, storageOf, duckdb).sql
 */
export function compilePublic(
  { select, policy }: PublicQuestion,
  storageOf: StorageOf,
  dialect: Dialect,
): CompiledPublic {
  const sql = writeSelect(select, writingOf(policy, [...aliasesIn(select)], storageOf, dialect));
  return brandPublic({ dialect: dialect.name, sql, mostRows: mostPublicRows });
}

/** Refuses, without a database, whatever {@link compilePublic} refuses. */
export function checkPublic(question: PublicQuestion): void {
  const dialect = question.policy.database === null ? dialects.duckdb : dialects.postgres;
  if (dialect) compilePublic(question, (table) => ({ relation: [table], layout: "raw" }), dialect);
}

/** Writes the read of columns of a public table that stand beside an answer, in an order that follows from the rows alone. */
export function compilePublicValues(
  { table, columns }: PublicValues,
  policy: Policy,
  storageOf: StorageOf,
  dialect: Dialect,
): CompiledPublic {
  const range: RangeVar = { relname: table, inh: true };
  const column = (name: string): Node => ({ ColumnRef: { fields: [{ String: { sval: name } }] } });
  const select = {
    targetList: columns.map(({ name }): Node => ({ ResTarget: { val: column(name) } })),
    fromClause: [{ RangeVar: range } as Node],
    sortClause: columns.map(
      ({ name }): Node => ({
        SortBy: { node: column(name), sortby_dir: "SORTBY_ASC", sortby_nulls: "SORTBY_NULLS_LAST" },
      }),
    ),
  };
  return compilePublic({ select, tables: [table], policy }, storageOf, dialect);
}

function writingOf(
  policy: Policy,
  aliases: readonly string[],
  storageOf: StorageOf,
  dialect: Dialect,
): Writing {
  const views = viewsOf(policy);
  const columns = Object.values(policy.tables)
    .filter(({ unit }) => unit.kind === "public")
    .flatMap((table) => Object.keys(table.columns));
  const writing: Writing = {
    dialect,
    named: new Set(),
    select: writeSelect,
    expression: writeExpression,
    spelled: (name) => (aliases.includes(name) ? name : (resolveName(name, columns) ?? name)),
    meant(range) {
      const view = isBare(range) ? views.get((range.relname ?? "").toLowerCase()) : undefined;
      if (view) return { view: view.view };
      const table = publicTableNamed(range, policy);
      if (!table) return unknownHere("a table that has units", range.location);
      return { table: table.name };
    },
    rowsOf(range) {
      if ("table" in range) return tableRows(policy, range.table, storageOf, dialect);
      const view = views.get(range.view.toLowerCase());
      return view
        ? writeSelect(view.select, { ...writing, named: new Set() })
        : unknownHere("this view", undefined);
    },
  };
  return writing;
}

/** The names that a text gives, which are spelled as they stand. */
function* aliasesIn(select: PublicQuestion["select"]): Iterable<string> {
  for (const { name } of nodesOf<{ readonly name?: string }>("ResTarget", select)) if (name) yield name;
  for (const names of nodesOf<Node[]>("colnames", select)) yield* fieldNames(names) ?? [];
  for (const names of nodesOf<Node[]>("aliascolnames", select)) yield* fieldNames(names) ?? [];
}

/** Writes the columns of a table that the policy knows, and no others. Snapshots keep numbers and times as integers. */
function tableRows(policy: Policy, table: string, storageOf: StorageOf, dialect: Dialect): string {
  const { unit, columns } = entryOf(policy.tables, table);
  if (unit.kind !== "public") return unknownHere("a table that has units", undefined);
  const { relation, layout } = storageOf(table);
  const shown = Object.entries(columns).map(([name, column]) => {
    const written = dialect.identifier(name);
    return layout === "raw" ? written : `${storedValue(column, written, dialect)} AS ${written}`;
  });
  return `SELECT ${shown.join(", ")} FROM ${relation.map(dialect.identifier).join(".")}`;
}

function storedValue(column: ColumnPolicy, stored: string, dialect: Dialect): string {
  if (column.type === "date" || column.type === "timestamp")
    return dialect.publicRows.time(column.type, stored);
  const grid = column.type === "number" ? gridOf(column) : null;
  return grid === null ? stored : scaledFromGrid(stored, grid, dialect);
}
