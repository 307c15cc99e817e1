export {
  type QuantileSetting,
  quantileEvent,
  quantilePieces,
  quantileRankErrorBound,
  quantileSensitivity,
  releaseQuantile,
} from "./quantile.ts";
