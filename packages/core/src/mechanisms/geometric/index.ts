export {
  type BoundedGeometric,
  boundedGeometric,
  boundedGeometricEvent,
  boundedGeometricFor,
  boundedGeometricReach,
  widestGeometricRange,
} from "./bounded-geometric.ts";
export { checkAlpha, deltaText, laplaceReach, laplaceReachAbove, laplaceTail } from "./laplace-reach.ts";
export { checkRange, clampTo, type PublicRange } from "./public-range.ts";
