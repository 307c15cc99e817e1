import {
  invalidParameter,
  type PrivacyLoss,
  type PrivacyMeasure,
  type Rational,
  ratio,
  toText,
} from "@lethe/core";
import { rhoFromEpsilon } from "@lethe/core/accounting";
import { compare, multiply, one, zero } from "@lethe/core/numeric";
import { requireAmount } from "../request-limits.ts";

/**
 * The budget that the owner grants. pure: ε, and δ is 0. approximate: ε and δ. zcdp: ρ and δ; or (ε, δ), from which ρ is derived
 * once, when the ledger is made. Analysts hold sub-caps in the account's ε or ρ.
 */
export interface AccountBudget {
  readonly measure: PrivacyMeasure;
  readonly epsilon: Rational | null;
  readonly delta: Rational;
  readonly rho: Rational | null;
  readonly analysts: Readonly<Record<string, Rational>>;
  /** If true, nothing more is charged, whatever is left. */
  readonly closed?: boolean;
}

const half = ratio(1n, 2n);

const caps: Readonly<Record<PrivacyMeasure, (budget: AccountBudget) => PrivacyLoss>> = {
  pure({ epsilon, delta, rho }) {
    refuseOther(rho, "rho", "a zcdp account");
    if (compare(delta, zero) !== 0) throw invalidParameter("the budget's delta", toText(delta), "0 for pure");
    return { measure: "pure", epsilon: stated(epsilon, "epsilon") };
  },
  approximate({ epsilon, delta, rho }) {
    refuseOther(rho, "rho", "a zcdp account");
    return { measure: "approximate", epsilon: stated(epsilon, "epsilon"), delta };
  },
  zcdp({ epsilon, delta, rho }) {
    if (rho) {
      refuseOther(epsilon, "epsilon", "a budget without rho");
      return { measure: "zcdp", rho: stated(rho, "rho"), delta };
    }
    // Half of δ pays for reading ρ as an ε; the other half is there to be spent (Bun & Steinke 2016, Lemma 8.8).
    const spendable = multiply(delta, half);
    if (!(compare(spendable, zero) > 0)) throw invalidParameter("the budget's delta", toText(delta), "> 0");
    return { measure: "zcdp", rho: rhoFromEpsilon(stated(epsilon, "epsilon"), spendable), delta: spendable };
  },
};

/** The account's cap, exact. Errors: parameter.invalid for a budget that does not state what its measure needs. */
export function capOf(budget: AccountBudget): PrivacyLoss {
  requireAmount(budget.delta, "the budget's delta");
  if (!(compare(budget.delta, one) < 0)) {
    throw invalidParameter("the budget's delta", toText(budget.delta), "below 1");
  }
  return caps[budget.measure](budget);
}

function stated(value: Rational | null, name: string): Rational {
  if (!value) throw invalidParameter(`the budget's ${name}`, value, "stated");
  return requireAmount(value, `the budget's ${name}`);
}

function refuseOther(value: Rational | null, name: string, place: string): void {
  if (value) throw invalidParameter(`the budget's ${name}`, toText(value), `stated only for ${place}`);
}
