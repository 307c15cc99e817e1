/** Which units a step sees. Rates and bins are declared: nothing here is counted from data. */
export type Sampler =
  /** Each unit is in each step by a coin of its own. */
  | { readonly kind: "poisson"; readonly rate: string }
  /** The same, and a batch of more than `limit` units is cut to `limit` of them at random. There are at most the plan's `units`. */
  | { readonly kind: "truncated-poisson"; readonly rate: string; readonly limit: number }
  /** Each unit is in one step of every `bins`, drawn anew for each pass. */
  | { readonly kind: "balls-in-bins"; readonly bins: number }
  /** Each unit draws one of `bins` places once, and is in every step of that place. For correlated noise: nothing is claimed from sampling. */
  | { readonly kind: "cyclic"; readonly bins: number }
  /** All units are in all steps. */
  | { readonly kind: "full" };

export type SamplerKind = Sampler["kind"];
