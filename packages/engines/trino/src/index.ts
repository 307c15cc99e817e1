export { readTrinoUrl, type TrinoAddress } from "./client/trino-address.ts";
export { defaultLimits, type TrinoLimits } from "./limits.ts";
export { openTrino, type TrinoOptions } from "./open-trino.ts";
export {
  importTrino,
  removeTrinoSnapshot,
  type TrinoImport,
  type TrinoImportReport,
} from "./snapshot/import-trino.ts";
export { readingInTrino, type TrinoReadingAsked } from "./snapshot/reading-in-trino.ts";
export { manifestsMark, readTrinoManifest, type TrinoManifest } from "./snapshot/trino-manifest.ts";
export type { TrinoEngine } from "./trino-engine.ts";
