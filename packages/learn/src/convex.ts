/**
 * Convex problems with proven guarantees: privacy by core's accountant for the noise that is drawn, and a bound of the excess risk that holds for all data
 * within declared bounds.
 * @module @lethe/learn/convex
 */
export * from "./convex/index.ts";
