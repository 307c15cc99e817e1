/**
 * Exact samplers, and the coins that they draw from.
 * @module @lethe/core/samplers
 */
export { type BitSource, type RandomValues, SecureEntropy, secureEntropy } from "./entropy/index.ts";
export {
  cutBatch,
  discreteGaussian,
  discreteLaplace,
  poissonBatch,
  roundedGaussian,
  type Sampler,
  uniformBelow,
  uniformBins,
} from "./samplers/index.ts";
