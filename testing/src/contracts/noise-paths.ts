export {
  type Comparison,
  comparisonsLaw,
  enumerateNoise,
  type NoisePaths,
  pairOf,
} from "@lethe/audit/enumerate";
