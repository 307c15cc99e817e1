import { LetheError } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import { entryOf } from "../entry-of.ts";
import type { Policy } from "../policy.ts";
import { unitPath } from "../unit-path.ts";

/**
 * The files and relations that are read for each table, by names. One source has one name, however it is reached. Null where the
 * sources cannot be told.
 */
export type SourcesRead = ReadonlyMap<string, readonly string[] | null>;

/** Two tables over one source whose rows the policy gives different roles, and the error that refuses them. */
export interface DoubleRole {
  readonly tables: readonly [string, string];
  readonly error: LetheError;
}

/**
 * Finds tables that read one file or relation in different roles: as public and as private rows, or as rows of different units.
 * Then a question over one table moves, or tells, what the other is said to protect; docs/decisions/0025. Tables of one role may
 * share a source. The names of sources decide, never a comparison of rows: a refusal would depend on data.
 */
export function doubleRoles(policy: Policy, read: SourcesRead): readonly DoubleRole[] {
  const tables = Object.keys(policy.tables).filter((table) => read.has(table));
  const roles = new Map(tables.map((table) => [table, roleOf(policy, table)]));
  return tables.flatMap((first, at) =>
    tables.slice(at + 1).flatMap((second): DoubleRole[] => {
      if (roles.get(first) === roles.get(second)) return [];
      const [a, b] = [read.get(first) ?? null, read.get(second) ?? null];
      if (a !== null && b !== null && !a.some((source) => b.includes(source))) return [];
      const unknown = a === null ? first : b === null ? second : null;
      return [{ tables: [first, second], error: refusal(policy, first, second, unknown) }];
    }),
  );
}

/** Refuses a policy with two tables of different roles. Errors: policy.roles for the first of {@link doubleRoles}. */
export function refuseDoubleRoles(policy: Policy, read: SourcesRead): void {
  const [found] = doubleRoles(policy, read);
  if (found) throw found.error;
}

/** Whether tables of a policy differ in the role of their rows: else no two of them can clash. */
export function hasSeveralRoles(policy: Policy): boolean {
  return new Set(Object.keys(policy.tables).map((table) => roleOf(policy, table))).size > 1;
}

/** Returns the role of a table's rows. It is the same for two tables whose rows, where they are the same rows, belong to the same units. */
function roleOf(policy: Policy, table: string): string {
  const { columns, csv, file } = entryOf(policy.tables, table);
  const way = unitPath(policy, table);
  if (way.kind === "public") return "public";
  // With another quote, a line may be part of another row.
  const written = /\.csv$/i.test(file ?? "") ? csv : null;
  if (way.kind === "row") return canonicalJson({ kind: "row", written });
  const { column, path } = way;
  return canonicalJson({ column, type: columns[column]?.type ?? null, path, written });
}

function refusal(policy: Policy, first: string, second: string, unknown: string | null): LetheError {
  const roles = [first, second].map((table) => `${table} as ${said(policy, table)}`).join(", ");
  return unknown === null
    ? new LetheError("policy.roles", `${first} and ${second} read one source in two roles: ${roles}`, {
        fix: `declare whose rows they are in one way in both, or take ${first} or ${second} out of the policy`,
        fields: { table: first, other: second },
      })
    : new LetheError(
        "policy.roles",
        `what ${unknown} reads cannot be told, so ${first} and ${second} may read one source in two roles: ${roles}`,
        {
          fix: `make a table of what ${unknown} reads, and name that one, or keep ${unknown} in a policy of its own`,
          fields: { table: first, other: second },
        },
      );
}

function said(policy: Policy, table: string): string {
  const { unit } = entryOf(policy.tables, table);
  if (unit.kind === "public") return "public rows";
  return unit.kind === "row" ? "rows that are units" : `rows of the units that ${unit.column} leads to`;
}
