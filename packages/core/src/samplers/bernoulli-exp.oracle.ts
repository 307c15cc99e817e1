import { one, type Rational } from "../numeric/rational.ts";
import { compareWithExp } from "./compare-with-exp.ts";
import type { OracleCoins } from "./scaled-decay.oracle.ts";

/** The plain program of ./bernoulli-exp.ts: U < e^{−gamma}. */
export function bernoulliExpOracle(gamma: Rational, coins: OracleCoins): boolean {
  const uniform = coins.uniform();
  for (;;) {
    if (compareWithExp(uniform.hi, one, gamma) <= 0) return true;
    if (compareWithExp(uniform.lo, one, gamma) >= 0) return false;
    coins.refine(uniform);
  }
}
