export { defaultLimits, type EngineLimits } from "./limits.ts";
export { type DuckDbOptions, openDuckDb } from "./open-duckdb.ts";
export { readCsvHeader } from "./read-csv-header.ts";
export { type ImportOptions, type ImportReport, importTable } from "./snapshot/import-table.ts";
export { readManifest, type SnapshotManifest } from "./snapshot/manifest.ts";
export { verifySnapshot } from "./snapshot/verify-snapshot.ts";
