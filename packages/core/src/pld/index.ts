export type { CountedPair } from "./counted-pair.ts";
export { gaussianCurve } from "./gaussian-curve.ts";
export { composedCurve, defaultAccuracy, pldCurve } from "./pld-curve.ts";
