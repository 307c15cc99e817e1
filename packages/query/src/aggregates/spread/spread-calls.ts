import type { CallForm } from "../call-form.ts";
import type { SpreadAggregate } from "./spread-types.ts";

/** The names of variances and standard deviations. */
export const spreadCalls: Readonly<Record<string, CallForm>> = {
  variance: spreadOf("variance", false),
  var_samp: spreadOf("variance", false),
  var_pop: spreadOf("variance", true),
  stddev: spreadOf("stddev", false),
  stddev_samp: spreadOf("stddev", false),
  stddev_pop: spreadOf("stddev", true),
};

function spreadOf(kind: SpreadAggregate["kind"], population: boolean): CallForm {
  return {
    reads: "number",
    of: (argument, bounds) => ({ kind, population, argument, bounds }),
    ofDistinct: (argument, bounds) => ({ kind, population, argument, bounds, distinct: true }),
  };
}
