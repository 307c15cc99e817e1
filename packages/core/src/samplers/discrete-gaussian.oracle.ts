import { type Rational, ratio } from "../numeric/rational.ts";
import { bernoulliExpOracle } from "./bernoulli-exp.oracle.ts";
import { proposalScale, rejectionExponent } from "./discrete-gaussian.ts";
import { discreteLaplaceOracle } from "./discrete-laplace.oracle.ts";
import type { OracleCoins } from "./scaled-decay.oracle.ts";

/** The plain program of ./discrete-gaussian.ts. */
export function discreteGaussianOracle(sigmaSquared: Rational, coins: OracleCoins): bigint {
  for (;;) {
    const y = discreteLaplaceOracle(ratio(proposalScale(sigmaSquared)), coins);
    if (bernoulliExpOracle(rejectionExponent(y < 0n ? -y : y, sigmaSquared), coins)) return y;
  }
}
