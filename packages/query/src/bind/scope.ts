import type { ColumnRef, Node } from "@pgsql/types";
import { didYouMean } from "../policy/did-you-mean.ts";
import type { ColumnPolicy, TablePolicy } from "../policy/policy.ts";
import type { ExpressionBuilder } from "./build-expression.ts";
import type { Domain } from "./domain.ts";
import type { Expression } from "./expression.ts";
import { booleanDomain, finiteDomain, numberDomain, textDomain } from "./operators/domains.ts";
import { refuse } from "./refuse.ts";
import { writeName } from "./write-sql.ts";

/** What names mean while one question is bound: one table of the policy. */
export interface Scope {
  readonly table: TablePolicy;
  readonly tableName: string;
  /** The name that qualifies columns: the alias, or the table's own. */
  readonly qualifier: string;
  readonly build: ExpressionBuilder;
}

/** Integer columns whose bounds span no more values than this have public keys. */
const enumerableSpan = 100;

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

/** The names of a possibly qualified reference; null for one that ends in a star. */
export function fieldNames(fields: readonly Node[] = []): readonly string[] | null {
  const names = fields.map((field) => ("String" in field ? (field.String.sval ?? "") : null));
  return names.includes(null) ? null : (names as string[]);
}

/** The policy's name of a column. Errors: query.unknown-column, query.unsupported (a star, a schema). */
export function resolveColumn(reference: ColumnRef, scope: Scope): string {
  const names = fieldNames(reference.fields);
  if (!names)
    refuse(
      "query.unsupported",
      "* stands for rows, and single rows are never shown",
      "ask for aggregates",
      reference.location,
    );
  if (names.length > 2)
    refuse(
      "query.unsupported",
      "a column is named by itself or behind its table",
      `write ${writeName(names.at(-1)!)}`,
      reference.location,
    );
  const [qualifier] = names.length === 2 ? names : [scope.qualifier];
  if (resolveName(qualifier!, [scope.qualifier]) === null)
    refuse(
      "query.unknown-table",
      `no table or alias ${JSON.stringify(qualifier)} in FROM`,
      `write ${writeName(scope.qualifier)}`,
      reference.location,
    );
  const known = Object.keys(scope.table.columns);
  const column = resolveName(names.at(-1)!, known);
  if (column === null)
    refuse(
      "query.unknown-column",
      `no column ${JSON.stringify(names.at(-1))} in ${scope.tableName}`,
      didYouMean(names.at(-1)!, known),
      reference.location,
    );
  return column;
}

/** Whether a column names the privacy unit. */
export function isUnitColumn(column: string, scope: Scope): boolean {
  return scope.table.unit.kind === "column" && scope.table.unit.column === column;
}

export function bindColumn(reference: ColumnRef, scope: Scope): Expression {
  const name = resolveColumn(reference, scope);
  if (isUnitColumn(name, scope))
    refuse(
      "query.unsupported",
      `${JSON.stringify(name)} names the privacy unit: it can be counted, not shown, grouped or computed with`,
      `write COUNT(DISTINCT ${writeName(name)})`,
      reference.location,
    );
  return { kind: "column", name, domain: columnDomain(scope.table.columns[name]!) };
}
