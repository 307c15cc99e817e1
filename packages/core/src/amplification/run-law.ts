import { invalidParameter } from "../errors/lethe-error.ts";

/** The law of a number of runs K, in doubles. */
export type RunLaw =
  | { readonly law: "negative-binomial"; readonly shape: number; readonly stop: number }
  | { readonly law: "poisson"; readonly mean: number };

/**
 * The law of the best of K independent outcomes, by f(x) = E[x^K]. Outcomes are told by how much lies above them: with mass s above a sliver of
 * mass m, the best lies in the sliver with probability f(1 − s) − f(1 − s − m).
 */
export interface BestOfRuns {
  /** Equal names are equal laws. */
  readonly name: string;
  /** f′(1 − s), what a sliver's mass is multiplied by: falling in s ∈ [0, 1]. */
  factor(above: number): number;
  /** f(1 − s) − f(1 − s − m), keeping the digits of m. */
  mass(above: number, mass: number): number;
  /** f(0), the probability of no run at all. */
  readonly none: number;
  /** The relative error that both may have where s and m are known to a relative 2e-12 and 1e-20. */
  readonly slack: number;
}

/**
 * The law of the best under this law of the number of runs: f(x) = e^{−mean·(1 − x)}, or with a = 1 − (1 − stop)·x
 * f(x) = (a^{−shape} − 1)/(stop^{−shape} − 1), f(x) = ln a/ln stop at shape 0.
 * Source: Papernot & Steinke 2022 (arXiv 2110.03620), Def. 1 and Sec. 3.3
 * Direction: exact
 * Errors: parameter.invalid unless −1 < shape ≤ 1000 and 1e-9 ≤ stop < 1, or 0 < mean ≤ 10⁵: doubles do not hold what lies beyond.
 * @example bestOfRuns({ law: "negative-binomial", shape: 1, stop: 0.1 }).factor(0) // => 10
 */
export function bestOfRuns(runs: RunLaw): BestOfRuns {
  return runs.law === "poisson" ? ofPoisson(runs.mean) : ofNegativeBinomial(runs.shape, runs.stop);
}

function ofPoisson(mean: number): BestOfRuns {
  if (!(mean > 0 && mean <= 1e5)) throw invalidParameter("mean", mean, "above 0 and at most 100000");
  return {
    name: `poisson(${mean})`,
    factor: (above) => mean * Math.exp(-mean * above),
    mass: (above, mass) => Math.exp(-mean * above) * -Math.expm1(-mean * mass),
    none: Math.exp(-mean),
    slack: 1e-10 + 1e-11 * mean,
  };
}

function ofNegativeBinomial(shape: number, stop: number): BestOfRuns {
  if (!(shape > -1 && shape <= 1000)) throw invalidParameter("shape", shape, "above −1 and at most 1000");
  if (!(stop >= 1e-9 && stop < 1)) throw invalidParameter("stop", stop, "at least 1e-9 and below 1");
  const go = 1 - stop;
  /** (1 − e^{−shape·x})/shape, x at shape 0. */
  const fall = (x: number): number => (shape === 0 ? x : -Math.expm1(-shape * x) / shape);
  const whole = fall(-Math.log(stop));
  const within = (above: number): number => stop + go * above;
  return {
    name: `negative-binomial(${shape},${stop})`,
    factor: (above) => ((go / stop) * (stop / within(above)) ** (shape + 1)) / whole,
    mass: (above, mass) => {
      const start = within(above);
      return ((stop / start) ** shape * fall(Math.log1p((go * mass) / start))) / whole;
    },
    none: 0,
    slack: 1e-10 + 1e-11 * (shape + 1),
  };
}
