export { addUp, cellMap, codesOf, projected, type Table } from "./cell-map.ts";
export { type Estimate, type EstimateOptions, estimate } from "./estimate.ts";
export { type GraphicalModel, marginalsOf } from "./graphical-model.ts";
export {
  combined,
  combinedResiduals,
  type Measurement,
  measured,
  type NoisyResidual,
  noisyTotal,
} from "./measurement.ts";
export { type Propagation, propagation } from "./propagation.ts";
