export * from "./gaussian-error.ts";
export * from "./laplace-error.ts";
export * from "./marginals.ts";
export * from "./mean.ts";
