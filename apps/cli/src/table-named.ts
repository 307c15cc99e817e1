import { LetheError } from "@lethe/core";
import type { Policy, TablePolicy } from "@lethe/query";

/** Returns the table of a policy that has this name. Errors: query.unknown-table. */
export function tableNamed({ tables }: Policy, name: string): TablePolicy {
  const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
  if (table !== undefined) return table;
  throw new LetheError("query.unknown-table", `the policy has no table ${name}`, {
    fix: "name a table of the policy",
    fields: { table: name },
  });
}
