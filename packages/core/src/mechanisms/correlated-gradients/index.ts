export { bltFor } from "./blt-for.ts";
export { type CorrelatedRun, correlatedNoise, correlatedSensitivity } from "./correlated-sensitivity.ts";
export type { Correlation } from "./correlation.ts";
export {
  type CorrelatedProgram,
  type CorrelatedReleases,
  type CorrelatedState,
  correlatedReleaser,
} from "./release-correlated.ts";
