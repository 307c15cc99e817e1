import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { LetheError } from "@lethe/core";
import type { KeptRows, Policy, TablePolicy } from "@lethe/query";
import type { EngineLimits } from "../limits.ts";
import { domainHash } from "./domain-hash.ts";
import { draftFile, draftFolder } from "./draft.ts";
import type { LostValues } from "./lost-values.ts";
import { type CopiedFrom, fileStem, type SnapshotManifest, snapshotsDirectory } from "./manifest.ts";
import { publish } from "./publish.ts";
import type { Written } from "./write-snapshot.ts";

/** The report to the owner. The number of rows is data: it must not go where analysts see it. */
export interface ImportReport {
  readonly table: string;
  readonly manifest: SnapshotManifest;
  /** The snapshot's file. */
  readonly path: string;
  readonly rows: number;
  /** The values that are NULL now, since they are not valid in their column; likewise data. */
  readonly lost: readonly LostValues[];
  /** The rows that the limits on a unit's rows keep; likewise data. Null where there are no limits to enforce. */
  readonly kept: KeptRows | null;
}

/** A snapshot to be made. */
export interface Freezing {
  readonly table: string;
  readonly policy: TablePolicy;
  /** The folder that gets snapshots/, with the snapshot and its manifest. */
  readonly stateDirectory: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** What it is made from, as the policy names it. */
  readonly source: string;
  /** Where it is a copy from a database. */
  readonly copied?: CopiedFrom;
}

/** Has a draft written, and makes it the table's snapshot, whole or not at all. Errors: those of `write`. */
export async function freezeInto(
  { table, policy, stateDirectory, clock, source, copied }: Freezing,
  limits: EngineLimits,
  write: (draft: string) => Promise<Written>,
): Promise<ImportReport> {
  const state = resolve(stateDirectory);
  const id = randomUUID();
  const file = `${fileStem(table)}-${id}.duckdb`;
  const folder = draftFolder(state, limits);
  const draft = draftFile(folder);
  try {
    const { lost, kept, ...facts } = await write(draft);
    const manifest = await publish(draft, state, {
      id,
      table,
      source,
      ...(copied === undefined ? {} : { copied }),
      file,
      domainHash: domainHash(policy),
      ...facts,
      created: new Date(clock()).toISOString(),
    });
    return { table, manifest, path: join(snapshotsDirectory(state), file), rows: facts.rows, lost, kept };
  } finally {
    folder.remove();
  }
}

/** Returns the policy of the table to be frozen. Errors: query.unknown-table. */
export function tableToFreeze(policy: Policy, table: string): TablePolicy {
  const found = Object.hasOwn(policy.tables, table) ? policy.tables[table] : undefined;
  if (found) return found;
  throw new LetheError("query.unknown-table", `the policy has no table ${table}`, {
    fix: "name a table of the policy",
    fields: { table },
  });
}
