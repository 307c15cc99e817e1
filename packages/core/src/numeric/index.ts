export * from "./bracket.ts";
export * from "./directed.ts";
export * from "./rational.ts";
export * from "./special/index.ts";
