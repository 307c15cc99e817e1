/**
 * Exact samplers, and the coins that they draw from.
 * @module @lethe/core/samplers
 */
export { type BitSource, type RandomValues, SecureEntropy, secureEntropy } from "./entropy/index.ts";
export {
  discreteGaussian,
  discreteLaplace,
  roundedGaussian,
  type Sampler,
  uniformBelow,
} from "./samplers/index.ts";
