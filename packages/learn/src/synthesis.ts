/**
 * Synthetic tables: domains, plans that are priced before a row is read, MST and AIM over noisy tables, and rows drawn from what was learned.
 * @module @lethe/learn/synthesis
 */
export * from "./synthesis/index.ts";
