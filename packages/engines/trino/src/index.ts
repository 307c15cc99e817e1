export { readTrinoUrl, type TrinoAddress } from "./client/trino-address.ts";
export { defaultLimits, type TrinoLimits } from "./limits.ts";
export { openTrino, type TrinoOptions } from "./open-trino.ts";
export {
  importTrino,
  removeTrinoSnapshot,
  type TrinoImport,
  type TrinoImportReport,
} from "./snapshot/import-trino.ts";
export { readsSnapshots } from "./snapshot/snapshot-in-force.ts";
export { type SnapshotState, snapshotState } from "./snapshot/snapshot-state.ts";
export { readTrinoManifest, type TrinoManifest } from "./snapshot/trino-manifest.ts";
export type { TrinoEngine } from "./trino-engine.ts";
