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
import type { Window } from "../scopes/period.ts";

/** A cap over one window of the UTC calendar. */
export interface WindowBudget {
  readonly per: Window;
  /** ε of a pure or approximate account, ρ of a zcdp one. */
  readonly main: Rational;
  /** null: this window limits no δ. */
  readonly delta: Rational | null;
}

/** The caps of one scope. A number that is null is not limited here, and the account's limits it all the same. */
export interface ScopeBudget {
  /** ε or ρ over the lifetime. */
  readonly main: Rational | null;
  readonly delta?: Rational | null;
  /** If true, nobody else can take of the account what these caps grant, over each period that both limit. */
  readonly reserved?: boolean;
  readonly windows?: readonly WindowBudget[];
}

/** A project's caps, and who may ask in it: where nobody is listed, every analyst. */
export interface ProjectBudget extends ScopeBudget {
  readonly analysts?: Readonly<Record<string, ScopeBudget>>;
}

/**
 * The budget that the owner grants. pure: ε, and δ is 0. approximate: ε and δ. zcdp: ρ and δ; or (ε, δ), from which ρ is derived
 * once, when the ledger is made. Analysts hold sub-caps; a number alone is one of the account's ε or ρ.
 */
export interface AccountBudget {
  readonly measure: PrivacyMeasure;
  readonly epsilon: Rational | null;
  readonly delta: Rational;
  readonly rho: Rational | null;
  readonly analysts: Readonly<Record<string, Rational | ScopeBudget>>;
  readonly projects?: Readonly<Record<string, ProjectBudget>>;
  readonly dataSets?: Readonly<Record<string, ScopeBudget>>;
  /** Caps of the account inside its lifetime's. */
  readonly windows?: readonly WindowBudget[];
  /** "none": windows alone bound the account, so that what it promises has no bound over time. Then ε, δ and ρ are not stated. */
  readonly lifetime?: "none" | undefined;
  /** Whether analysts may see what the account has spent. */
  readonly showAccount?: boolean;
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

/**
 * The account's cap over its lifetime, exact; null where it has none. Errors: parameter.invalid for a budget that does not state what its
 * measure needs, or that states a lifetime's numbers beside `lifetime: none`.
 */
export function capOf(budget: AccountBudget): PrivacyLoss | null {
  if (budget.lifetime === "none") {
    const { epsilon, rho, delta } = budget;
    for (const [value, name] of [
      [epsilon, "epsilon"],
      [rho, "rho"],
    ] as const)
      refuseOther(value, name, "a budget with a lifetime");
    if (compare(delta, zero) !== 0) refuseOther(delta, "delta", "a budget with a lifetime");
    if (!budget.windows?.length)
      throw invalidParameter("the budget's lifetime", "none", "stated beside at least one window");
    return null;
  }
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
