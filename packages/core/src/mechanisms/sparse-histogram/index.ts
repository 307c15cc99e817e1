export {
  type KeyCount,
  releaseSparseHistogram,
  type SparseHistogramSetting,
  sparseHistogramEvent,
  sparseHistogramFor,
  sparseHistogramReach,
  sparseHistogramWith,
} from "./sparse-histogram.ts";
