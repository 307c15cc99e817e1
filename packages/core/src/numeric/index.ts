export * from "./rational.ts";
export * from "./special/index.ts";
