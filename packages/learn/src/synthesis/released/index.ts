export {
  learnedFrom,
  type ReleasedSynthesis,
  type ReleasedTable,
  releasedSynthesis,
} from "./released-synthesis.ts";
