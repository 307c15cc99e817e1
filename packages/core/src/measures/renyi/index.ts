export { boundedRangeRenyi } from "./bounded-range-renyi.ts";
export { composeRenyi, type RenyiTerm } from "./compose-renyi.ts";
export { gaussianRenyi } from "./gaussian-renyi.ts";
export { laplaceKullbackLeibler, laplaceRenyi } from "./laplace-renyi.ts";
export { pureKullbackLeibler, pureRenyi } from "./pure-renyi.ts";
export { type RenyiCurve, renyiMargin } from "./renyi-curve.ts";
export { zcdpRenyi } from "./zcdp-renyi.ts";
