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
  sparseVectorEvent,
  sparseVectorFor,
  sparseVectorReach,
  sparseVectorScales,
} from "./sparse-vector-setting.ts";
