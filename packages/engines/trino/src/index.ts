export { readTrinoUrl, type TrinoAddress } from "./client/trino-address.ts";
export { defaultLimits, type TrinoLimits } from "./limits.ts";
export { openTrino, type TrinoOptions } from "./open-trino.ts";
export type { TrinoEngine } from "./trino-engine.ts";
