/**
 * Networks over a table's columns, trained by clipped and noisy gradients on rows that stay sealed: a description, a plan that follows from it alone, its run,
 * and a model that predicts.
 * @module @lethe/learn/networks
 */
export * from "./networks/index.ts";
