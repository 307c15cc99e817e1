import { LetheError } from "@lethe/core";
import { expressionBuilder } from "../expressions/build/build-expression.ts";
import { writeName } from "../expressions/write-sql.ts";
import { parseQuestion } from "../parse/parse-question.ts";
import { entryOf } from "../policy/entry-of.ts";
import type { ContributionPolicy, Policy, UnitPolicy } from "../policy/policy.ts";
import { ownerOf } from "../relations/relation.ts";
import { resolveFrom } from "../resolve/from/resolve-from.ts";
import { columnDomain, type Scope, type ScopeColumn } from "../resolve/names/scope.ts";
import { type ColumnDescription, describeColumn } from "./column-description.ts";
import { questionsAbout } from "./questions-about.ts";

/** The declarations of a policy about one table or view: what may be asked of it. Nothing in it comes from the data. */
export interface TableDescription {
  readonly name: string;
  /** The schema that may be written before the name: the database's own, else "public". */
  readonly schema: string;
  /** private: its rows belong to units. public: its rows belong to nobody. */
  readonly kind: "private" | "public";
  readonly isView: boolean;
  /** The unit that is protected, and how a row names it; null for public rows. */
  readonly unit: string | null;
  /** How much one unit may contribute to a question; null for public rows, and for views, which have the limits of their tables. */
  readonly limits: ContributionPolicy | null;
  /** The public, rough number of rows that the owner stated. */
  readonly expectedRows: number | null;
  readonly columns: readonly ColumnDescription[];
  /** A few questions that are answered, as they stand. */
  readonly questions: readonly string[];
  /** Why no question can read it, where the policy's text for a view is refused. */
  readonly problem: string | null;
}

/**
 * Describes every table and view of a policy, in its order. It reads the policy alone: no data, no ledger.
 * @example (await describeTables(policy)).map(({ name }) => name) // => ["people"]
 */
export async function describeTables(policy: Policy): Promise<readonly TableDescription[]> {
  const names = [...Object.keys(policy.tables), ...Object.keys(policy.views)];
  return Promise.all(names.map((name) => describeTable(name, policy)));
}

async function describeTable(name: string, policy: Policy): Promise<TableDescription> {
  const isView = !Object.hasOwn(policy.tables, name);
  const table = isView ? null : entryOf(policy.tables, name);
  const facts = {
    name,
    schema: table?.relation?.split(".").at(-2) ?? "public",
    isView,
    expectedRows: table?.expectedRows ?? null,
  };
  try {
    const { select } = await parseQuestion(`SELECT COUNT(*) FROM ${writeName(name)}`);
    const { scope } = resolveFrom(select, policy, expressionBuilder());
    const isPublic = ownerOf(scope.from) === "public";
    const columns = columnsOf(scope, policy);
    return {
      ...facts,
      kind: isPublic ? "public" : "private",
      unit: isPublic ? null : unitWords(policy, table?.unit ?? null),
      limits: isPublic ? null : (table?.contribution ?? null),
      columns,
      questions: await questionsAbout(name, columns, policy),
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    const unknown = { unit: null, limits: null, columns: [], questions: [] };
    return { ...facts, ...unknown, kind: "private", problem: error.message };
  }
}

function columnsOf({ sources }: Scope, policy: Policy): readonly ColumnDescription[] {
  return sources.flatMap(({ columns }) => columns.map((column) => columnOf(column, policy)));
}

function columnOf(column: ScopeColumn, policy: Policy): ColumnDescription {
  const { name, key } = column;
  const role = column.namesUnit ? "unit" : key === null ? null : "key";
  // The values of a column that names the unit are read nowhere: the policy's own words describe it.
  if (role === "unit" && key !== null) {
    const { columns } = entryOf(policy.tables, key.of.table);
    return describeColumn(name, columnDomain(entryOf(columns, key.of.column)), role);
  }
  return describeColumn(name, column.expression(undefined).domain, role);
}

function unitWords({ privacyUnit: { name } }: Policy, unit: UnitPolicy | null): string {
  switch (unit?.kind) {
    case "row":
      return `each row is one ${name}`;
    case "column":
      return `the column ${unit.column} names the ${name}`;
    case "through":
      return `the column ${unit.column} leads to the ${name} through ${unit.references.table}.${unit.references.column}`;
    default:
      return `each row belongs to one ${name}`;
  }
}
