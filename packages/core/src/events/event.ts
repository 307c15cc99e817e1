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
  | { readonly kind: "compose"; readonly version: 1; readonly events: readonly Event[] }
  | { readonly kind: "repeat"; readonly version: 1; readonly count: string; readonly event: Event };

export type EventKind = Event["kind"];

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
export type LeafKind = Exclude<EventKind, "compose" | "repeat">;
