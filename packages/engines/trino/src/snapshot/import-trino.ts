import { randomUUID } from "node:crypto";
import { LetheError } from "@lethe/core";
import type { Policy } from "@lethe/query";
import { readTrinoUrl } from "../client/trino-address.ts";
import { openTrino } from "../open-trino.ts";
import { quoteRelation } from "../quote.ts";
import {
  domainHash,
  placesSeed,
  readTrinoManifest,
  removeTrinoManifest,
  type TrinoManifest,
  writeTrinoManifest,
} from "./trino-manifest.ts";
import { writeSnapshot } from "./write-snapshot.ts";

export interface TrinoImport {
  readonly policy: Policy;
  readonly table: string;
  /** The URL by which questions read. */
  readonly url: string;
  /** The URL of a user that may write; its catalog and schema get the snapshot. */
  readonly ownersUrl: string;
  readonly seed: string;
  /** The folder that gets the manifest. */
  readonly stateDirectory: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The owner's log: what it is told may contain data. */
  readonly log: (detail: string) => void;
}

/** For the owner alone: the number of rows is data. */
export interface TrinoImportReport {
  readonly table: string;
  readonly manifest: TrinoManifest;
  readonly rows: string;
}

/** A copy of a large table takes longer than a question may. */
const day = 86_400_000;

/**
 * Freezes a table of Trino into a snapshot in Trino, which questions read from then on: what is checked of a question's table is checked first, by the user that only reads. The snapshot before stays until the
 * next import, for the questions in flight. Errors: those of storage; engine.source.
 * @example await importTrino({ policy, table: "visits", url, ownersUrl: "https://owner@trino.example:8443/iceberg/lethe", seed, stateDirectory: ".lethe", clock, log })
 */
export async function importTrino(job: TrinoImport): Promise<TrinoImportReport> {
  const { policy, table, url, ownersUrl, seed, stateDirectory, clock, log } = job;
  const { catalog, schema } = readTrinoUrl(ownersUrl);
  if (catalog === null || schema === null)
    throw new LetheError("engine.source", "the owner's URL does not say where snapshots are kept", {
      fix: "end it with a catalog of Iceberg and a schema: https://owner@host:8443/iceberg/lethe",
      fields: { table },
    });
  const reader = openTrino({ policy, url, seed, log });
  const owner = openTrino({
    policy,
    url: ownersUrl,
    seed,
    log,
    limits: { timeoutMs: day, requestMs: 600_000 },
  });
  const asOf = new Date(clock()).toISOString();
  try {
    const source = await reader.storage(table);
    const sources = await reader.sources(table);
    const id = randomUUID();
    const tablePolicy = policy.tables[table];
    if (tablePolicy === undefined) throw new Error("the policy lost a table");
    const relation = [catalog, schema, `${table}_${id}`.toLowerCase()] as const;
    const before = readTrinoManifest(stateDirectory, table);
    const { rows, ...facts } = await owner.asOwner(table, (ask) =>
      writeSnapshot(ask, tablePolicy, source, relation, seed),
    );
    const manifest: TrinoManifest = {
      version: 1,
      id,
      table,
      relation,
      previous: before?.relation ?? null,
      domainHash: domainHash(tablePolicy),
      sources,
      places: tablePolicy.unit.kind === "column" ? placesSeed(seed) : null,
      asOf,
      ...facts,
    };
    writeTrinoManifest(stateDirectory, manifest);
    const old = before?.previous;
    if (old) await owner.asOwner(table, (ask) => ask(`DROP TABLE IF EXISTS ${quoteRelation(old)}`));
    return { table, manifest, rows };
  } finally {
    await Promise.all([reader.close(), owner.close()]);
  }
}

/** Has questions read a table as it lies again, and drops its snapshots. Returns whether there was one. Errors: engine.source. */
export async function removeTrinoSnapshot({
  policy,
  table,
  ownersUrl,
  stateDirectory,
  log,
}: Pick<TrinoImport, "policy" | "table" | "ownersUrl" | "stateDirectory" | "log">): Promise<boolean> {
  const manifest = readTrinoManifest(stateDirectory, table);
  if (manifest === null) return false;
  removeTrinoManifest(stateDirectory, table);
  const owner = openTrino({ policy, url: ownersUrl, seed: "", log });
  try {
    for (const relation of [manifest.relation, manifest.previous])
      if (relation !== null)
        await owner.asOwner(table, (ask) => ask(`DROP TABLE IF EXISTS ${quoteRelation(relation)}`));
  } finally {
    await owner.close();
  }
  return true;
}
