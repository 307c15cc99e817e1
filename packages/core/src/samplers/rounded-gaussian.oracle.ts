import { type Rational, ratio } from "../numeric/rational.ts";
import { halfNormal } from "./decay.ts";
import { type OracleCoins, scaledDecayOracle } from "./scaled-decay.oracle.ts";

/** The plain program of ./rounded-gaussian.ts: ±⌊σ·|N| + ½⌋. */
export function roundedGaussianOracle(sigma: Rational, coins: OracleCoins): bigint {
  const { negative, magnitude } = scaledDecayOracle(halfNormal, sigma, ratio(1n, 2n), coins);
  return negative ? -magnitude : magnitude;
}
