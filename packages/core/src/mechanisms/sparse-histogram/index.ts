export {
  type KeyCount,
  releaseSparseHistogram,
  type SparseHistogramSetting,
  sparseHistogramErrorBound,
  sparseHistogramEvent,
  sparseHistogramFor,
  sparseHistogramWith,
} from "./sparse-histogram.ts";
