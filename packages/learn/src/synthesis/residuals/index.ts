export { type KnownResiduals, knownResiduals } from "./known-residuals.ts";
export { type Reconstructed, reconstruction } from "./reconstruct.ts";
export { residuals } from "./residuals.ts";
export { withoutNegatives } from "./without-negatives.ts";
