export { zcdpFromApproximate } from "./approximate-to-zcdp.ts";
export { epsilonFromRhoTextbook } from "./bun-steinke.ts";
export { deltaFromRho, epsilonFromRho, rhoFromEpsilon } from "./canonne-kamath-steinke.ts";
export { advancedComposition } from "./composition/advanced-composition.ts";
export { advancedCompositionSix } from "./composition/advanced-composition-six.ts";
export { advancedCompositionZcdp } from "./composition/advanced-composition-zcdp.ts";
export { basicComposition } from "./composition/basic-composition.ts";
export { groupApproximate, groupGaussian, groupPure, groupTcdp } from "./composition/group-privacy.ts";
export { type ComposedProfile, heterogeneousComposition } from "./composition/heterogeneous-composition.ts";
export {
  mostOptimalRuns,
  optimalCompositionDelta,
  optimalCompositionEpsilon,
  type Runs,
} from "./composition/optimal-composition.ts";
export { pureFromRepeatAndSelect, type RunCount } from "./composition/repeat-and-select.ts";
export { gaussianFromBoundedRange } from "./gaussian/bounded-range-to-gaussian.ts";
export {
  classicalGaussianSigma,
  renyiGaussianSigma,
  tailBoundGaussianSigma,
} from "./gaussian/classical-gaussian.ts";
export { gaussianDeltaBracket } from "./gaussian/gaussian-delta.ts";
export { gaussianMu } from "./gaussian/gaussian-mu.ts";
export { gaussianDelta, gaussianEpsilon } from "./gaussian/gaussian-profile.ts";
export {
  deltaFromGaussian,
  epsilonFromGaussian,
  gaussianFromEpsilon,
} from "./gaussian/gaussian-to-approximate.ts";
export { approximateFromMixed } from "./gaussian/mixed-to-approximate.ts";
export { epsilonFromLossTail } from "./loss-tail.ts";
export { epsilonFromRenyiTextbook } from "./mironov.ts";
export { approximateFromPure } from "./pure-to-approximate.ts";
export { zcdpFromPure } from "./pure-to-zcdp.ts";
export { deltaFromRenyi, epsilonFromRenyi } from "./renyi-to-approximate.ts";
export { ceilRho, epsilonGrid, floorRho, rhoGrid } from "./search/loss-grid.ts";
export { deltaFromTcdp, epsilonFromTcdp } from "./tcdp-to-approximate.ts";
export { rhoFromBoundedRange, tightRhoFromPure } from "./tight-zcdp.ts";
export { approximateTradeoff, gaussianTradeoff, tradeoffFromProfile } from "./tradeoff.ts";
export { zcdpAdvantage, zcdpTruePositives } from "./zcdp-odds.ts";
export { approximateFromZcdp } from "./zcdp-to-approximate.ts";
