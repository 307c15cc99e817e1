import { invalidParameter } from "@lethe/core";
import { epsilonFromRho, gaussianFromEpsilon, rhoFromEpsilon } from "@lethe/core/accounting";
import type { GaussianBudget } from "@lethe/core/mechanisms";
import {
  compare,
  multiply,
  one,
  type Rational,
  ratio,
  rationalOf,
  toDouble,
  toText,
  zero,
} from "@lethe/core/numeric";

/** A number of a plan, exact and plain: a double that stands for its shortest decimal, or a text such as "1e-6" or "1/3". */
export type PlainNumber = number | string;

/** What a plan may cost: (ε, δ), or ρ of zCDP, whose ε is told at δ. */
export type PlanBudget =
  | { readonly epsilon: PlainNumber; readonly delta: PlainNumber }
  | { readonly rho: PlainNumber; readonly delta: PlainNumber };

/** A budget that a plan must keep to, exactly, and the doubles next to it for bounds. */
export interface Budget {
  /** ε at δ: what was asked for, or what ρ is worth there. */
  readonly epsilon: Rational;
  /** 0 in pure DP. */
  readonly delta: Rational;
  readonly epsilonNumber: number;
  readonly deltaNumber: number;
  /** ρ where it was asked for; null for (ε, δ). */
  readonly rho: Rational | null;
}

/** Reads a budget with a δ. Errors: parameter.invalid unless ε or ρ, one of them, is above 0 and 0 < δ < 1. */
export function budgetOf(request: PlanBudget): Budget {
  return read(request, (delta) => {
    if (!(compare(delta, zero) > 0 && compare(delta, one) < 0))
      throw invalidParameter("delta", toText(delta), "above 0 and below 1");
  });
}

/** {@link budgetOf} for a mechanism that has a price in pure DP: δ may be 0. */
export function pureBudgetOf(request: PlanBudget): Budget {
  return read(request, (delta) => {
    if (!(compare(delta, zero) >= 0 && compare(delta, one) < 0))
      throw invalidParameter("delta", toText(delta), "at least 0 and below 1");
  });
}

function read(request: PlanBudget, checkDelta: (delta: Rational) => void): Budget {
  const delta = rationalOf(request.delta, "delta");
  checkDelta(delta);
  const { epsilon, rho } = "rho" in request ? fromRho(request, delta) : fromEpsilon(request);
  if (!(compare(epsilon, zero) > 0)) throw invalidParameter("epsilon", toText(epsilon), "> 0");
  return {
    ...{ epsilon, delta, rho },
    epsilonNumber: toDouble(epsilon, "down"),
    deltaNumber: toDouble(delta, "down"),
  };
}

function fromEpsilon({ epsilon }: { readonly epsilon: PlainNumber }): Pick<Budget, "epsilon" | "rho"> {
  return { epsilon: rationalOf(epsilon, "epsilon"), rho: null };
}

function fromRho(
  request: { readonly rho: PlainNumber; readonly epsilon?: unknown },
  delta: Rational,
): Pick<Budget, "epsilon" | "rho"> {
  if (request.epsilon !== undefined)
    throw invalidParameter("epsilon", String(request.epsilon), "left out where rho is stated");
  const rho = rationalOf(request.rho, "rho");
  if (!(compare(rho, zero) > 0)) throw invalidParameter("rho", toText(rho), "> 0");
  if (compare(delta, zero) === 0)
    throw invalidParameter("delta", "0", "above 0: zCDP promises an ε at such a δ alone");
  return { epsilon: epsilonFromRho(rho, delta), rho };
}

/** A budget as Gaussian noise is calibrated to it: ρ as such, since its ε would buy less. */
export function gaussianBudget({ epsilon, delta, rho }: Budget): GaussianBudget {
  return rho === null ? { epsilon, delta } : { rho };
}

/** The largest (Δ₂/σ)² of Gaussian noise within a budget. Rounded down. */
export function muSquaredOf({ epsilon, delta, rho }: Budget): Rational {
  return rho === null ? gaussianFromEpsilon(epsilon, delta) : multiply(ratio(2n), rho);
}

/** The largest ρ of zCDP within a budget. Rounded down. */
export function rhoOf({ epsilon, delta, rho }: Budget): Rational {
  return rho ?? rhoFromEpsilon(epsilon, delta);
}
