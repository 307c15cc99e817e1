export { Exact, seal } from "./exact.ts";
export type { ExactGroup, ExactRows, KeyValue } from "./exact-rows.ts";
