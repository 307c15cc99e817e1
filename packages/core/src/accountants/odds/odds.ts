/** The share of false alarms at which odds state the true ones. */
export const falsePositives = 0.01;

/**
 * What an attacker gains who knows all but whether one unit is in the data, and may choose any test: each number is a bound of what was charged, rounded up, and
 * the smaller it is, the better a unit is hidden.
 */
export interface Odds {
  /** The most that true positives exceed false positives in any test: the largest distance in total variation of two neighbours, from 0 to 1. */
  readonly advantage: number;
  /**
   * μ of Gaussian differential privacy: no test tells two neighbours apart better than N(0, 1) from N(μ, 1). Null where no finite μ is
   * known, as where a δ > 0 is the chance that everything is told.
   */
  readonly mu: number | null;
  /** The most true positives of a test that is wrong on at most one in a hundred of those who are not in the data. */
  readonly truePositives: number;
}

/** Nothing is hidden. */
export const noneHidden: Odds = { advantage: 1, mu: null, truePositives: 1 };

/** Both bounds hold: the smaller of each. */
export function bothHold(a: Odds, b: Odds): Odds {
  return {
    advantage: Math.min(a.advantage, b.advantage),
    mu: a.mu === null || b.mu === null ? (a.mu ?? b.mu) : Math.min(a.mu, b.mu),
    truePositives: Math.min(a.truePositives, b.truePositives),
  };
}

/** One of the two holds, and it is not known which: the larger of each. */
export function eitherHolds(a: Odds, b: Odds): Odds {
  return {
    advantage: Math.max(a.advantage, b.advantage),
    mu: a.mu === null || b.mu === null ? null : Math.max(a.mu, b.mu),
    truePositives: Math.max(a.truePositives, b.truePositives),
  };
}
