export { type CountedUnits, countSensitivity } from "./counted-units.ts";
export {
  type CountBudget,
  countNoise,
  type HistogramSetting,
  histogramEvent,
  histogramFor,
  histogramReach,
  mostBins,
  releaseHistogram,
} from "./histogram.ts";
export { noiseReach } from "./noise-reach.ts";
