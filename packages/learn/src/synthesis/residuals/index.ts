export { type Reconstructed, reconstruction } from "./reconstruct.ts";
export { runResiduals } from "./run-residuals.ts";
