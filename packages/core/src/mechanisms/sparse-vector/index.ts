export {
  openSparseVector,
  type SparseVector,
  type SparseVectorAnswer,
  type SparseVectorNoise,
  type SparseVectorQuestion,
  sparseVectorWith,
} from "./sparse-vector.ts";
export {
  type SparseVectorScales,
  type SparseVectorSetting,
  sparseVectorErrorBound,
  sparseVectorEvent,
  sparseVectorFor,
  sparseVectorScales,
} from "./sparse-vector-setting.ts";
