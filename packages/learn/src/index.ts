export * from "./model/index.ts";
export * from "./moments/index.ts";
export * from "./statistics/index.ts";
