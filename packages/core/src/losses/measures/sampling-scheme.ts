/** The way in which units come into the sample that a mechanism reads. */
export type SamplingScheme =
  /** Each unit independently with probability `rate` ∈ [0, 1]; `keep` is 1 − rate where that is known better than their difference. */
  | { readonly kind: "poisson"; readonly rate: number; readonly keep?: number }
  /** A Poisson sample from at most `population` units; a sample larger than `limit` is cut to `limit` of its units at random. */
  | {
      readonly kind: "truncated-poisson";
      readonly rate: number;
      readonly keep?: number;
      readonly population: number;
      readonly limit: number;
    }
  /** A uniformly random set of exactly `sample` of `population` units. */
  | { readonly kind: "without-replacement"; readonly population: number; readonly sample: number };
