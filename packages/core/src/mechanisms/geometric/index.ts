export {
  type BoundedGeometric,
  boundedGeometric,
  boundedGeometricErrorBound,
  boundedGeometricEvent,
  boundedGeometricFor,
  widestGeometricRange,
} from "./bounded-geometric.ts";
export {
  checkAlpha,
  deltaText,
  laplaceErrorBound,
  laplaceErrorBoundAbove,
  laplaceTail,
} from "./laplace-error-bound.ts";
export { checkRange, clampTo, type PublicRange } from "./public-range.ts";
