export {
  type ApproximateTerm,
  type ApproximateUpperLoss,
  approximateAlgebra,
} from "./approximate/approximate-algebra.ts";
export { boundedCurve, type ProvenRanges } from "./bounded-curve.ts";
export { type GaussianUpperLoss, gaussianAlgebra } from "./gaussian/gaussian-algebra.ts";
export type { LossAlgebra, RepresentationId } from "./loss-algebra.ts";
export type { ProvableLosses } from "./provable-losses.ts";
export { type PureUpperLoss, pureAlgebra } from "./pure/pure-algebra.ts";
export { type RenyiUpperLoss, renyiAlgebra } from "./renyi/renyi-algebra.ts";
export { type ZcdpUpperLoss, zcdpAlgebra } from "./zcdp/zcdp-algebra.ts";
