export type { Sampler, SamplerKind } from "./sampler.ts";
