/** Every door of core as one module, so that a test can bundle and weigh the whole. */
export * from "../accounting.ts";
export * from "../accuracy.ts";
export * from "../canonical.ts";
export * from "../errors.ts";
export * from "../index.ts";
export * from "../local.ts";
export * from "../mechanisms.ts";
export * from "../numeric.ts";
export * from "../samplers.ts";
