import type { Policy, SourcesRead } from "@lethe/query";
import { readManifest } from "./snapshot/manifest.ts";

/**
 * Returns the relations of a database that the snapshots of its tables were made from, as their manifests name them: null where one does not say. Tables that
 * were not imported, and manifests that cannot be read, are asked nothing.
 */
export function sourcesFrozen({ tables }: Policy, stateDirectory: string): SourcesRead {
  return new Map(
    Object.keys(tables).flatMap((table): [string, readonly string[] | null][] => {
      try {
        const manifest = readManifest(stateDirectory, table);
        return manifest === null ? [] : [[table, manifest.copied?.sources ?? null]];
      } catch {
        return [];
      }
    }),
  );
}
