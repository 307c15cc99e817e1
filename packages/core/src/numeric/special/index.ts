export * from "./erfc.ts";
export { erfcx } from "./erfcx.ts";
export * from "./ndtr.ts";
export * from "./ndtri.ts";
