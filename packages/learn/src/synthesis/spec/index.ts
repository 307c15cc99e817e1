export { readSynthesis } from "./read-synthesis.ts";
export type { SynthesisSpec } from "./synthesis-spec.ts";
