export { type Reconstructed, reconstruction } from "./reconstruct.ts";
export { residualModel, runResiduals } from "./run-residuals.ts";
