export { type CountedPair, mergeGaussians, mergePairs, onlyStep } from "../law/counted-pair.ts";
export { gaussianCurve } from "./gaussian-curve.ts";
export { composedCurve, defaultAccuracy, pldCurve, pldProfile, pldReached } from "./pld-curve.ts";
export { worstCurve } from "./worst-curve.ts";
