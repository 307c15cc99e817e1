export type { Noise } from "./noise.ts";
export type * from "./release-program.ts";
