import { LetheError } from "@lethe/core";

interface Named {
  readonly name: string;
}

/**
 * Returns what has a name. Errors: internal.invariant where nothing has it: a question and its plan name only what they hold.
 * @example byName(plan.measurements, "COUNT(*)")
 */
export function byName<T extends Named>(all: readonly T[], name: string): T {
  const found = all.find((each) => each.name === name);
  return found ?? missing(name);
}

/** Returns a name that none of these has: the one that is wanted, or that with the least number behind it. */
export function freeName(wanted: string, taken: readonly Named[]): string {
  return freeNameIn(new Set(taken.map(({ name }) => name)), wanted);
}

/** {@link freeName} among names. */
export function freeNameIn(names: ReadonlySet<string>, wanted: string): string {
  let name = wanted;
  for (let number = 2; names.has(name); number += 1) name = `${wanted} (${number})`;
  return name;
}

/** Errors: internal.invariant, for a name that a question or its plan does not have. */
export function missing(name: string): never {
  throw new LetheError("internal.invariant", `nothing in the plan is called ${JSON.stringify(name)}`, {
    fix: "report this with the question asked",
  });
}
