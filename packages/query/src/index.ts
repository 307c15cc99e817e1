export * from "./bind/bound-query.ts";
export * from "./bind/domain.ts";
export * from "./bind/expression.ts";
export type { CompiledQuery } from "./compile/compiled-query.ts";
export type { Engine, TableStorage } from "./engine.ts";
export * from "./plan/plan.ts";
export * from "./policy/index.ts";
