import { LetheError } from "@lethe/core";
import { doubleRoles, hasSeveralRoles, type Policy, type TablePolicy, type TableStorage } from "@lethe/query";
import type { AskCatalog } from "../check-server.ts";
import { quoteName } from "../quote.ts";
import { domainHash, placesSeed, readTrinoManifest, type TrinoManifest } from "./trino-manifest.ts";

/** Whether questions read snapshots, and not the tables as they lie: they do once a table was imported. No question reads both. */
export function readsSnapshots({ tables }: Policy, stateDirectory: string): boolean {
  return Object.keys(tables).some((table) => readTrinoManifest(stateDirectory, table) !== null);
}

/** Where a snapshot is asked, and by which policy and seed. */
export interface SnapshotAsked {
  readonly policy: Policy;
  readonly table: string;
  readonly stateDirectory: string;
  readonly seed: string;
}

/**
 * Returns the storage of a table's snapshot after a look at Trino: that it is there, in the very state that the import wrote. Reads no row. Errors: engine.not-imported,
 * policy.changed, policy.roles, engine.source.
 */
export async function snapshotInForce(
  ask: AskCatalog,
  { policy, table, stateDirectory, seed }: SnapshotAsked,
  tablePolicy: TablePolicy,
): Promise<{ readonly storage: TableStorage; readonly manifest: TrinoManifest }> {
  const fields = { table };
  const fix = `lethe import --table ${table}`;
  const manifest = readTrinoManifest(stateDirectory, table);
  if (manifest === null)
    throw new LetheError(
      "engine.not-imported",
      `${table} was not imported, and other tables of the policy were`,
      { fix, fields },
    );
  if (manifest.domainHash !== domainHash(tablePolicy))
    throw new LetheError("policy.changed", `the policy of ${table} changed since it was imported`, {
      fix,
      fields,
    });
  refuseRoles(policy, table, stateDirectory);
  if ((await stateOf(ask, manifest.relation)) !== manifest.state)
    throw new LetheError("engine.source", `the snapshot of ${table} is not as it was written`, {
      fix,
      fields,
    });
  const { relation, id, unitNumbers, places } = manifest;
  const storage: TableStorage = {
    relation,
    layout: "snapshot",
    imported: id,
    hasUnitNumbers: unitNumbers,
    hasPlaces: places !== null && places === placesSeed(seed),
  };
  return { storage, manifest };
}

/** Two snapshots may have been made under policies that each were sound. Errors: policy.roles. */
function refuseRoles(policy: Policy, table: string, stateDirectory: string): void {
  if (!hasSeveralRoles(policy)) return;
  const manifests = Object.keys(policy.tables).map(
    (name) => [name, readTrinoManifest(stateDirectory, name)] as const,
  );
  const read = new Map(
    manifests.flatMap(([name, found]) => (found === null ? [] : [[name, found.sources] as const])),
  );
  const clash = doubleRoles(policy, read).find(({ tables }) => tables.includes(table));
  if (clash) throw clash.error;
}

/** Returns Iceberg's number of a table's state, in digits. Each write makes another. */
export async function stateOf(
  ask: AskCatalog,
  [catalog, schema, name]: TrinoManifest["relation"],
): Promise<string | null> {
  const refs = [catalog, schema, `${name}$refs`].map(quoteName).join(".");
  const [row] = await ask(`SELECT snapshot_id FROM ${refs} WHERE name = 'main'`);
  return typeof row?.[0] === "string" ? row[0] : null;
}
