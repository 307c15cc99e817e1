export {
  type Comparison,
  comparisonsLaw,
  enumerateNoise,
  type NoisePaths,
  pairOf,
} from "./enumerate-noise.ts";
export { between, enumerateWords, lowBits, type WordCell } from "./enumerate-words.ts";
export { lawOf } from "./law-of.ts";
