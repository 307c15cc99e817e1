export * from "./bind/index.ts";
export * from "./compile/index.ts";
export * from "./dialects/index.ts";
export type { Engine, TableStorage } from "./engine.ts";
export * from "./explain/index.ts";
export * from "./parse/index.ts";
export * from "./plan/index.ts";
export * from "./policy/index.ts";
export * from "./target/index.ts";
