export * from "./access/index.ts";
export * from "./audit-log/index.ts";
export * from "./config/index.ts";
export * from "./limits/index.ts";
export * from "./people/index.ts";
export * from "./sessions/index.ts";
