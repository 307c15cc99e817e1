/**
 * Models from released sums: what to ask for one, and how to fit it.
 * @module @lethe/learn
 */
export * from "./clusters/index.ts";
export * from "./model/index.ts";
export * from "./models/index.ts";
export * from "./moments/index.ts";
export * from "./statistics/index.ts";
export * from "./training/index.ts";
