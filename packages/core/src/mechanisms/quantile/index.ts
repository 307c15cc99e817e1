export {
  type QuantileSetting,
  quantileEvent,
  quantilePieces,
  quantileRankReach,
  quantileSensitivity,
  releaseQuantile,
} from "./quantile.ts";
