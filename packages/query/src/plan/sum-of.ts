import { byName, missing } from "../refusals/by-name.ts";
import type { Measurement, NamedSum } from "./plan.ts";

/** Returns the sum that a measurement is about: its first term. Errors: as {@link byName}. */
export function sumOf(
  { sums }: { readonly sums: readonly NamedSum[] },
  { terms: [first], name }: Pick<Measurement, "terms" | "name">,
): NamedSum {
  return first ? byName(sums, first.sum) : missing(name);
}
