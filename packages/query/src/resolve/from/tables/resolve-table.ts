import type { RangeVar } from "@pgsql/types";
import type { ExpressionBuilder } from "../../../expressions/build/build-expression.ts";
import type { Expression } from "../../../expressions/expression.ts";
import { writeName } from "../../../expressions/write-sql.ts";
import { entryOf } from "../../../policy/entry-of.ts";
import type { Policy, TablePolicy } from "../../../policy/policy.ts";
import { keyNamed, unitPath } from "../../../policy/unit-path.ts";
import { didYouMean } from "../../../refusals/did-you-mean.ts";
import { refuse } from "../../../refusals/refuse.ts";
import { columnDomain, resolveName, type Scope, type ScopeColumn } from "../../names/scope.ts";

/**
 * The scope of one policy table. `qualifier` is its name in the question; `source` the one that no other table of the
 * question has, null where it is the only one.
 */
export function tableScope(
  table: string,
  qualifier: string,
  source: string | null,
  policy: Policy,
  build: ExpressionBuilder,
): Scope {
  const unit = unitPath(policy, table);
  const { columns } = entryOf(policy.tables, table);
  const scopeColumn = (name: string): ScopeColumn => {
    const of = keyNamed(policy, table, name);
    const isUnit =
      unit.kind === "column" && of?.table === unit.names.table && of.column === unit.names.column;
    let resolved: Expression | null = null;
    return {
      name,
      key: of && { of, at: source === null ? null : { source, column: name } },
      isUnit,
      namesUnit: isUnit,
      expression(offset) {
        if (isUnit) refuseUnit(name, offset);
        resolved ??= {
          kind: "column",
          ...(source === null ? {} : { source }),
          name,
          domain: columnDomain(entryOf(columns, name)),
        };
        return resolved;
      },
    };
  };
  return {
    from: { kind: "table", table, source, unit, oncePer: null, columns },
    sources: [{ name: qualifier, columns: Object.keys(columns).map(scopeColumn) }],
    merged: [],
    build,
  };
}

export function refuseUnit(name: string, offset: number | undefined): never {
  return refuse(
    "query.unsupported",
    `${JSON.stringify(name)} names the privacy unit: it can be counted, but not shown, grouped by or computed with`,
    `write COUNT(DISTINCT ${writeName(name)})`,
    offset,
  );
}

/** The schemas that engines write before a table that has none. */
const plainSchemas: ReadonlySet<string> = new Set(["public", "main"]);

/** Whether a table is written with its own schema or with none. The policy's `relation` names the schema; where it does not, that is public or main. */
function isOwnSchema({ schemaname, catalogname }: RangeVar, table: string, policy: Policy): boolean {
  if (!schemaname) return !catalogname;
  const { relation } = entryOf(policy.tables, table);
  const parts = relation?.split(".") ?? [];
  const [schema = null, catalog = null] = parts.slice(0, -1).reverse();
  if (catalogname && catalog !== null && catalogname !== catalog) return false;
  return schema === null ? plainSchemas.has(schemaname) : schemaname === schema;
}

/** The policy's name of a table of FROM. Errors: query.unsupported, query.unknown-table. */
export function tableNamed(range: RangeVar, policy: Policy): string {
  const { location } = range;
  const known = Object.keys(policy.tables);
  const table = resolveName(range.relname ?? "", known);
  // First: what stands after a schema may be none of the policy's, and to write it alone would be no help.
  if (table === null)
    refuse(
      "query.unknown-table",
      `the policy has no table ${JSON.stringify(range.relname)}`,
      didYouMean(range.relname ?? "", [...known, ...Object.keys(policy.views)]),
      location,
    );
  const bare = `write FROM ${writeName(table)}`;
  if (!isOwnSchema(range, table, policy))
    refuse("query.unsupported", "this table of the policy does not lie in that schema", bare, location);
  if (!range.inh) refuse("query.unsupported", "ONLY is not known", bare, location);
  if (range.alias?.colnames)
    refuse(
      "query.unsupported",
      "FROM cannot rename columns: they have the names of the policy",
      bare,
      location,
    );
  return table;
}

/** The policy's name of a public table of FROM, and its columns; null where FROM names no public table. */
export function publicTableNamed(
  range: RangeVar,
  policy: Policy,
): { readonly name: string; readonly columns: TablePolicy["columns"] } | null {
  const known = resolveName(range.relname ?? "", Object.keys(policy.tables));
  if (known === null || entryOf(policy.tables, known).unit.kind !== "public") return null;
  const name = tableNamed(range, policy);
  return { name, columns: entryOf(policy.tables, name).columns };
}
