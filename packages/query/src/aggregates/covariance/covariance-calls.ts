import type { ArgumentPair } from "../argument-pair.ts";
import type { CallForm } from "../call-form.ts";
import type { Covariance } from "./covariance-types.ts";

/** The names of covariances. */
export const covarianceCalls: Readonly<Record<string, CallForm>> = {
  covar_samp: { reads: "pair", of: (pair) => covariance(pair, false) },
  covar_pop: { reads: "pair", of: (pair) => covariance(pair, true) },
};

/** Returns the covariance of a pair: the same whichever of the two comes first, so that it is measured once. */
export function covariance(pair: ArgumentPair, population: boolean): Covariance {
  const { first, second, present, written } = pair;
  const [one, two] = written;
  return one <= two
    ? { kind: "covariance", population, argument: first, other: second, present, written: `${one}, ${two}` }
    : { kind: "covariance", population, argument: second, other: first, present, written: `${two}, ${one}` };
}
