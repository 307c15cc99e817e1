export { advancedComposition } from "./advanced-composition.ts";
export { advancedCompositionSix } from "./advanced-composition-six.ts";
export { advancedCompositionZcdp } from "./advanced-composition-zcdp.ts";
export { zcdpFromApproximate } from "./approximate-to-zcdp.ts";
export { basicComposition } from "./basic-composition.ts";
export { epsilonFromRhoTextbook } from "./bun-steinke.ts";
export { deltaFromRho, epsilonFromRho, rhoFromEpsilon } from "./canonne-kamath-steinke.ts";
export { classicalGaussianSigma, renyiGaussianSigma, tailBoundGaussianSigma } from "./classical-gaussian.ts";
export { gaussianDeltaBracket } from "./gaussian-delta.ts";
export { gaussianMu } from "./gaussian-mu.ts";
export { gaussianDelta, gaussianEpsilon } from "./gaussian-profile.ts";
export { deltaFromGaussian, epsilonFromGaussian, gaussianFromEpsilon } from "./gaussian-to-approximate.ts";
export { groupApproximate, groupGaussian, groupPure, groupTcdp } from "./group-privacy.ts";
export { type ComposedProfile, heterogeneousComposition } from "./heterogeneous-composition.ts";
export { ceilRho, epsilonGrid, floorRho, rhoGrid } from "./loss-grid.ts";
export { epsilonFromLossTail } from "./loss-tail.ts";
export { epsilonFromRenyiTextbook } from "./mironov.ts";
export { approximateFromMixed } from "./mixed-to-approximate.ts";
export {
  mostOptimalRuns,
  optimalCompositionDelta,
  optimalCompositionEpsilon,
  type Runs,
} from "./optimal-composition.ts";
export { approximateFromPure } from "./pure-to-approximate.ts";
export { zcdpFromPure } from "./pure-to-zcdp.ts";
export { deltaFromRenyi, epsilonFromRenyi } from "./renyi-to-approximate.ts";
export { pureFromRepeatAndSelect, type RunCount } from "./repeat-and-select.ts";
export { deltaFromTcdp, epsilonFromTcdp } from "./tcdp-to-approximate.ts";
export { rhoFromBoundedRange, tightRhoFromPure } from "./tight-zcdp.ts";
export { approximateTradeoff, gaussianTradeoff, tradeoffFromProfile } from "./tradeoff.ts";
export { approximateFromZcdp } from "./zcdp-to-approximate.ts";
