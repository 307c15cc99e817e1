export * from "./bind/index.ts";
export type { CompiledQuery } from "./compile/compiled-query.ts";
export type { Engine, TableStorage } from "./engine.ts";
export * from "./parse/index.ts";
export * from "./plan/plan.ts";
export * from "./policy/index.ts";
