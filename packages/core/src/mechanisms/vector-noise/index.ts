export {
  addGaussian,
  addLaplace,
  addNoiseToVector,
  type GaussianKind,
  type NoisyVector,
} from "./add-noise-to-vector.ts";
export { type ClipSet, clip as clipVector, sensitivityOfClipped } from "./clip.ts";
export {
  boundOnGrid,
  type NotFinite,
  quantize,
  quantizeVector,
  squaredBoundOnGrid,
  widenedSquaredBound,
} from "./quantize.ts";
export { sealedVectorRelease } from "./release-sealed-vector.ts";
export { type BoundedSum, sumRealVectors, sumVectors, type VectorSum } from "./sum-vectors.ts";
