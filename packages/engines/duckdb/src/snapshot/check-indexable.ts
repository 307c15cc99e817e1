import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { LetheError } from "@lethe/core";
import { namesUnits, type Policy, type TablePolicy } from "@lethe/query";
import { domainHash } from "./domain-hash.ts";
import { readManifest, type SnapshotManifest, snapshotsDirectory } from "./manifest.ts";

/** Returns the policy of a table whose rows can have places. Errors: query.unknown-table, parameter.invalid. */
export function checkIndexable(policy: Policy, table: string): TablePolicy {
  const tablePolicy = knownTable(policy, table);
  if (namesUnits(policy, table)) return tablePolicy;
  throw new LetheError("parameter.invalid", `the rows of ${table} do not name their units`, {
    fix: "index a table whose unit is a column of its own: no other is bounded by rows",
    fields: { table },
  });
}

/** Returns the snapshot in force, checked. Errors: engine.not-imported, policy.changed, engine.source. */
export function snapshotToIndex(state: string, table: string, policy: TablePolicy): SnapshotManifest {
  const manifest = readManifest(state, table);
  const fix = `lethe import --table ${table}`;
  const fields = { table };
  if (!manifest)
    throw new LetheError("engine.not-imported", `${table} was not imported: an index is kept in a snapshot`, {
      fix,
      fields,
    });
  if (manifest.domainHash !== domainHash(policy))
    throw new LetheError("policy.changed", `the policy of ${table} changed since it was imported`, {
      fix,
      fields,
    });
  const path = join(snapshotsDirectory(state), manifest.file);
  if (existsSync(path) && statSync(path).size === manifest.bytes) return manifest;
  throw new LetheError("engine.source", `the snapshot of ${table} is missing or not as it was written`, {
    fix,
    fields,
  });
}

/** Errors: query.unknown-table. */
export function knownTable(policy: Policy, table: string): TablePolicy {
  const tablePolicy = Object.hasOwn(policy.tables, table) ? policy.tables[table] : undefined;
  if (tablePolicy) return tablePolicy;
  throw new LetheError("query.unknown-table", `the policy has no table ${table}`, {
    fix: "name a table of the policy",
    fields: { table },
  });
}
