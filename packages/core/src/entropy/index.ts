export type { BitSource } from "./bit-source.ts";
