/**
 * Additive boosting over binned columns, trained privately on rows that the owner holds: a plan that follows from the description alone, its run,
 * and a model whose shapes one can see and edit.
 * @module @lethe/learn/boosting
 */
export * from "./boosting/index.ts";
