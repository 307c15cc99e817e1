import { LetheError } from "@lethe/core";
import type { Measurement, NamedSum } from "./plan.ts";

interface Named {
  readonly name: string;
}

/**
 * Returns what has a name. Errors: internal.invariant where nothing has it: a plan names only what it holds.
 * @example byName(plan.measurements, "COUNT(*)")
 */
export function byName<T extends Named>(all: readonly T[], name: string): T {
  const found = all.find((each) => each.name === name);
  return found ?? missing(name);
}

/** Returns a name that none of these has: the one that is wanted, or that with the least number behind it. */
export function freeName(wanted: string, taken: readonly Named[]): string {
  const names = new Set(taken.map(({ name }) => name));
  let name = wanted;
  for (let number = 2; names.has(name); number += 1) name = `${wanted} (${number})`;
  return name;
}

/** Returns the sum that a measurement is about: its first term. Errors: as {@link byName}. */
export function sumOf(
  { sums }: { readonly sums: readonly NamedSum[] },
  { terms: [first], name }: Pick<Measurement, "terms" | "name">,
): NamedSum {
  return first ? byName(sums, first.sum) : missing(name);
}

/** Errors: internal.invariant, for a name that a plan does not have. */
export function missing(name: string): never {
  throw new LetheError("internal.invariant", `nothing in the plan is called ${JSON.stringify(name)}`, {
    fix: "report this with the question asked",
  });
}
