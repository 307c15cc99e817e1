import { type OrderKept, type Policy, readingAsItLies, type TableReading } from "@lethe/query";
import { knownTable } from "./snapshot/check-indexable.ts";
import { domainHash } from "./snapshot/domain-hash.ts";
import type { SnapshotManifest } from "./snapshot/manifest.ts";
import { placesSeed } from "./snapshot/places-seed.ts";
import { sourceKind } from "./source-file.ts";

/** A table, the manifest of its snapshot, and what is asked of it. */
export interface ReadingAsked {
  readonly policy: Policy;
  readonly table: string;
  /** Null where there is none. */
  readonly manifest: SnapshotManifest | null;
  /** Whether the question limits the table's rows before the filter. */
  readonly needsOrder: boolean;
  /** Returns the secret by which rows are ordered; it is called where a manifest has an order. */
  readonly seed: () => string;
}

/**
 * Returns how questions read a table whose rows an import freezes here, from its manifest alone: reads no row, and tells none of the manifest's numbers of rows and bytes. Errors: query.unknown-table;
 * engine.source for a file that cannot be asked.
 */
export function readingOfManifest({ policy, table, manifest, needsOrder, seed }: ReadingAsked): TableReading {
  const tablePolicy = knownTable(policy, table);
  const lies = readingAsItLies(policy, table, needsOrder);
  if (manifest === null) {
    const mustBeImported = tablePolicy.file === null || sourceKind(table, tablePolicy) === "csv";
    return mustBeImported ? { ...lies, from: "not-imported" } : lies;
  }
  if (manifest.domainHash !== domainHash(tablePolicy)) return { ...lies, from: "stale" };
  const order = lies.order === "none" ? orderOf(manifest, seed) : lies.order;
  if (policy.database === null) return { ...lies, from: "import", order };
  return { ...lies, from: "copy", asOf: manifest.copied?.asOf ?? manifest.created, order };
}

function orderOf({ places }: SnapshotManifest, seed: () => string): OrderKept {
  if (places === undefined) return "none";
  return places === placesSeed(seed()) ? "built" : "other-seed";
}
