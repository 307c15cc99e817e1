export { computeSealed, Exact, type Sealed, seal } from "./exact.ts";
export type { ExactGroup, ExactRows, KeyValue } from "./exact-rows.ts";
export { GatheredRows } from "./gathered-rows.ts";
export type { UnitRows } from "./unit-rows.ts";
