export {
  measuredFrom,
  type ReleasedResidual,
  type ReleasedSynthesis,
  type ReleasedTable,
  releasedSynthesis,
} from "./released-synthesis.ts";
