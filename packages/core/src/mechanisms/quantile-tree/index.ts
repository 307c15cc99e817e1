export { type CellTree, cellCount, mostCells, type NoisyCells, noisyCells } from "./noisy-cells.ts";
export {
  type QuantileTree,
  type QuantileTreeRelease,
  type RankInterval,
  readQuantileTree,
  releaseQuantileTree,
  type ValueInterval,
} from "./quantile-tree.ts";
export { shareNoise, type WeightClass } from "./share-noise.ts";
export { type QuantileTreeSetting, quantileTreeEvent, quantileTreeFor } from "./tree-shape.ts";
