/** How units come into the sample that a mechanism reads. */
export type SamplingScheme =
  /** Each unit independently with probability `rate` ∈ [0, 1]; `keep` is 1 − rate where that is known better than their difference. */
  | { readonly kind: "poisson"; readonly rate: number; readonly keep?: number }
  /** A uniformly random set of exactly `sample` of `population` units. */
  | { readonly kind: "without-replacement"; readonly population: number; readonly sample: number };
