/**
 * The durable record of what was run. Its meaning never changes: a new meaning is a new version. Numbers are texts
 * ("3", "1/3") that parseRational reads exactly. An event says nothing of the data.
 */
export type Event =
  /** Discrete Laplace noise P[Z=z] ∝ exp(−|z|/scale) on every coordinate of an integer vector with ℓ1 sensitivity l1. */
  | { readonly kind: "laplace"; readonly version: 1; readonly scale: string; readonly l1: string }
  /** The rounding to integers of N(0, sigma²) on every coordinate; ℓ2 sensitivity squared is l2Squared. */
  | {
      readonly kind: "rounded-gaussian";
      readonly version: 1;
      readonly sigma: string;
      readonly l2Squared: string;
    }
  /** Discrete Gaussian P[Z=z] ∝ exp(−z²/(2·sigmaSquared)) on every coordinate. */
  | {
      readonly kind: "discrete-gaussian";
      readonly version: 1;
      readonly sigmaSquared: string;
      readonly l2Squared: string;
    }
  /** Private selection of group keys; one unit changes the unit count of at most `groups` groups, each by one. */
  | {
      readonly kind: "select-groups";
      readonly version: 1;
      readonly rule: SelectionRule;
      readonly groups: string;
    }
  /** A sensitivity of zero: the same answer on all neighbours. */
  | { readonly kind: "constant"; readonly version: 1 }
  /** Any mechanism proven ε-DP. `of` names it, for people. */
  | { readonly kind: "pure"; readonly version: 1; readonly epsilon: string; readonly of?: string }
  /** Any mechanism proven (ε, δ)-DP. */
  | {
      readonly kind: "approximate";
      readonly version: 1;
      readonly epsilon: string;
      readonly delta: string;
      readonly of?: string;
    }
  /** Any mechanism proven ρ-zCDP. */
  | { readonly kind: "zcdp"; readonly version: 1; readonly rho: string; readonly of?: string }
  /** ε-bounded range (Dong, Durfee & Rogers 2020, Def. 3.1): the log-ratio of any two neighbours spans at most ε. So ε-DP. */
  | { readonly kind: "bounded-range"; readonly version: 1; readonly epsilon: string; readonly of?: string }
  /** Any mechanism proven μ-Gaussian DP (Dong, Roth & Su 2022): neighbours are told apart no better than N(0, 1) from N(μ, 1); μ² is muSquared. */
  | { readonly kind: "gaussian-dp"; readonly version: 1; readonly muSquared: string; readonly of?: string }
  /**
   * A finite mechanism by its worst pair: p[i] and q[i] are the probabilities of outcome i on two neighbours; (p, q) and (q, p)
   * dominate every pair of neighbours. Each list sums to 1 exactly.
   */
  | {
      readonly kind: "finite-pair";
      readonly version: 1;
      readonly p: readonly string[];
      readonly q: readonly string[];
      readonly of?: string;
    }
  /** Real noise N(0, sigma²) on every coordinate of a real vector of this ℓ2 sensitivity. For accounting alone. */
  | { readonly kind: "gaussian"; readonly version: 1; readonly sigma: string; readonly sensitivity: string }
  /** Real Laplace noise on one real number of this sensitivity. For accounting alone. */
  | {
      readonly kind: "continuous-laplace";
      readonly version: 1;
      readonly scale: string;
      readonly sensitivity: string;
    }
  /** Every unit's report passes a local randomizer that is ε-DP (replace-one), and `reports` of them are shuffled. */
  | { readonly kind: "shuffle"; readonly version: 1; readonly reports: string; readonly epsilon: string }
  /**
   * Every unit takes part in `selected` of `steps` steps, drawn uniformly; each step adds N(0, sigma²) to a sum of this ℓ2
   * sensitivity. (Balls in bins; random allocation.) For accounting alone.
   */
  | {
      readonly kind: "random-allocation";
      readonly version: 1;
      readonly steps: string;
      readonly selected: string;
      readonly sigma: string;
      readonly sensitivity: string;
    }
  /**
   * Real noise N(0, sigma²) on every coordinate of a real vector, which a unit's coming or going moves by a vector of ℓ2 norm at most `move`
   * with probability `weight`, drawn afresh in every run and told nobody; weights sum to 1. For accounting alone.
   */
  | {
      readonly kind: "gaussian-mixture";
      readonly version: 1;
      readonly sigma: string;
      readonly moves: readonly { readonly weight: string; readonly move: string }[];
    }
  | { readonly kind: "compose"; readonly version: 1; readonly events: readonly Event[] }
  /** A run on a sample that takes each unit independently with probability `rate`; `event` is of add-or-remove-one. */
  | { readonly kind: "poisson-sample"; readonly version: 1; readonly rate: string; readonly event: Event }
  /** A run on a Poisson sample from at most `population` units; a sample larger than `limit` is cut to `limit` of its units at random. */
  | {
      readonly kind: "truncated-poisson-sample";
      readonly version: 1;
      readonly rate: string;
      readonly population: string;
      readonly limit: string;
      readonly event: Event;
    }
  /** A run on exactly `sample` of `population` units; `event` is of replace-one. */
  | {
      readonly kind: "sample-without-replacement";
      readonly version: 1;
      readonly population: string;
      readonly sample: string;
      readonly event: Event;
    }
  /** The same run seen by a group of `size` units. */
  | { readonly kind: "group"; readonly version: 1; readonly size: string; readonly event: Event }
  /** One of several runs, drawn by public coins; weights sum to 1. */
  | {
      readonly kind: "mix";
      readonly version: 1;
      readonly parts: readonly { readonly weight: string; readonly event: Event }[];
    }
  /** A mechanism run a random number of times, the best outcome released. */
  | {
      readonly kind: "repeat-and-select";
      readonly version: 1;
      readonly trials: TrialCount;
      readonly event: Event;
    }
  | { readonly kind: "repeat"; readonly version: 1; readonly count: string; readonly event: Event };

export type EventKind = Event["kind"];

/** The law of a number of trials (Papernot & Steinke 2022, Def. 1 and Sec. 3.3). */
export type TrialCount =
  /** Truncated negative binomial of this shape > −1 and 0 < stop < 1: shape 1 is geometric, 0 logarithmic. */
  | { readonly law: "negative-binomial"; readonly shape: string; readonly stop: string }
  | { readonly law: "poisson"; readonly mean: string };

/**
 * How one group's key is kept, given its number of units. All parameters are those of ONE group. The rule reads
 * n = units − (minUnits − 1) and drops the group when n ≤ 0; minUnits is 1 unless stated.
 */
export type SelectionRule = { readonly minUnits?: string } & (
  | /** Desfontaines, Voss, Gipson & Mandayam 2022: the rule that keeps most at (epsilon, delta) a group. */
  { readonly rule: "truncated-geometric"; readonly epsilon: string; readonly delta: string }
  /** Keep when n + discrete Laplace(scale) ≥ threshold (an integer). */
  | { readonly rule: "laplace-threshold"; readonly scale: string; readonly threshold: string }
  /** Keep when n + rounded Gaussian(sigma) ≥ threshold (an integer). */
  | { readonly rule: "gaussian-threshold"; readonly sigma: string; readonly threshold: string }
);

export type SelectionRuleName = SelectionRule["rule"];
export type EventOf<K extends EventKind> = Extract<Event, { readonly kind: K }>;
export type SelectionRuleOf<K extends SelectionRuleName> = Extract<SelectionRule, { readonly rule: K }>;
/** The kinds that stand for one mechanism; the others combine events. */
export type LeafKind = Exclude<EventKind, CombinatorKind>;
export type CombinatorKind =
  | "compose"
  | "repeat"
  | "poisson-sample"
  | "truncated-poisson-sample"
  | "sample-without-replacement"
  | "group"
  | "mix"
  | "repeat-and-select";
