export { describeDuckDb } from "./describe-duckdb.ts";
export { defaultLimits, type EngineLimits } from "./limits.ts";
export { type DuckDbOptions, openDuckDb } from "./open-duckdb.ts";
export { readCsvHeader } from "./read-csv-header.ts";
export { buildIndex, type IndexOptions } from "./snapshot/build-index.ts";
export { type ImportOptions, type ImportReport, importTable } from "./snapshot/import-table.ts";
export { type IndexState, indexState } from "./snapshot/index-state.ts";
export { readManifest, type SnapshotManifest } from "./snapshot/manifest.ts";
export { verifySnapshot } from "./snapshot/verify-snapshot.ts";
