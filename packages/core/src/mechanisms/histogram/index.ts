export { type CountedUnits, countSensitivity } from "./counted-units.ts";
export {
  type CountBudget,
  countNoise,
  type HistogramSetting,
  histogramErrorBound,
  histogramEvent,
  histogramFor,
  mostBins,
  releaseHistogram,
} from "./histogram.ts";
export { noiseErrorBound } from "./noise-error-bound.ts";
