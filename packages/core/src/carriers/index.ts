export { type ApproximateCarrierLoss, type ApproximateTerm, approximateCarrier } from "./approximate.ts";
export { boundedCurve, type ProvenRanges } from "./bounded-curve.ts";
export type { Carrier, CarrierId } from "./carrier.ts";
export { type GaussianCarrierLoss, gaussianCarrier } from "./gaussian.ts";
export { type PureCarrierLoss, pureCarrier } from "./pure.ts";
export { type RenyiCarrierLoss, renyiCarrier } from "./renyi.ts";
export { type ZcdpCarrierLoss, zcdpCarrier } from "./zcdp.ts";
