export {
  type QuantileTree,
  type QuantileTreeRelease,
  type RankInterval,
  readQuantileTree,
  releaseQuantileTree,
  type ValueInterval,
} from "./quantile-tree.ts";
export { type QuantileTreeSetting, quantileTreeEvent, quantileTreeFor } from "./tree-shape.ts";
