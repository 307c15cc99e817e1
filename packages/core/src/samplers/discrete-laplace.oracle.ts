import { type Rational, zero } from "../numeric/rational.ts";
import { exponential } from "./decay.ts";
import { type OracleCoins, scaledDecayOracle } from "./scaled-decay.oracle.ts";

/** The plain program of ./discrete-laplace.ts: a signed geometric, drawn again when it is −0. */
export function discreteLaplaceOracle(scale: Rational, coins: OracleCoins): bigint {
  for (;;) {
    const { negative, magnitude } = scaledDecayOracle(exponential, scale, zero, coins);
    if (!(negative && magnitude === 0n)) return negative ? -magnitude : magnitude;
  }
}
