import { invalidParameter } from "../../errors/lethe-error.ts";
import { divideUp, nextUp } from "../../numeric/directed.ts";
import { compare, type Rational, toDouble, toText, zero } from "../../numeric/rational.ts";

/**
 * How far below the best score the chosen one lies at most, except with probability `miss`: (ln(m − 1) + ln(1/miss))/rate
 * for m candidates; rate is ε/(2Δ). For the exponential mechanism and permute-and-flip alike: a candidate that lies x
 * below is chosen with probability at most e^{−rate·x}, and at most m − 1 are not best. Scores' units.
 *
 * Source: McSherry & Talwar 2007, Thm 6; Dwork & Roth 2014, Cor. 3.12 (with ln m)
 * Direction: upper
 *
 * Errors: parameter.invalid unless rate > 0, candidates is an integer ≥ 1 and 0 < miss < 1.
 * @example utilityLoss({ rate: ratio(1n, 2n), candidates: 101, miss: 0.01 }) // => 18.42 = 2·(ln 100 + ln 100)
 */
export function utilityLoss({
  rate,
  candidates,
  miss,
}: {
  readonly rate: Rational;
  readonly candidates: number;
  readonly miss: number;
}): number {
  if (!(compare(rate, zero) > 0)) throw invalidParameter("rate", toText(rate), "> 0");
  if (!(Number.isInteger(candidates) && candidates >= 1)) {
    throw invalidParameter("candidates", candidates, "an integer ≥ 1");
  }
  if (!(miss > 0 && miss < 1)) throw invalidParameter("miss", miss, "above 0 and below 1");
  if (candidates === 1) return 0;
  // Math.log is right to an ulp or two on every platform: four steps up of each term.
  const exponent = up(Math.log(candidates - 1)) + up(-Math.log(miss));
  // A rate below the least double lets the bound overflow to Infinity, which is still a bound.
  return divideUp(nextUp(exponent), toDouble(rate, "down"));
}

function up(x: number): number {
  return nextUp(nextUp(nextUp(nextUp(x))));
}
