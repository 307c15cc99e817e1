export * from "./erfc.ts";
export { erfcx } from "./erfcx.ts";
export * from "./log-binomial.ts";
export * from "./log-gamma.ts";
export * from "./log-space.ts";
export * from "./ndtr.ts";
export * from "./ndtri.ts";
export * from "./power-excess.ts";
