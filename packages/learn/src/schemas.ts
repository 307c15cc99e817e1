/**
 * The formats of models' and synthetic tables' files as JSON Schema, for editors.
 * @module @lethe/learn/schemas
 */
export * from "./schemas/index.ts";
