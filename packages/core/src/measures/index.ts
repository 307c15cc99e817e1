export type * from "./loss.ts";
