export * from "./enumerate/index.ts";
export * from "./replay/index.ts";
export * from "./verify/index.ts";
