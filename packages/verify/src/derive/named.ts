interface Named {
  readonly name: string;
}

/** The members of a list by their names, so that a stranger's plan of many parts takes no time that grows with their square. */
const indexes = new WeakMap<readonly Named[], ReadonlyMap<string, Named>>();

/** Returns what has a name in a plan. Errors: RangeError where nothing has it. */
export function named<T extends Named>(all: readonly T[], name: string): T {
  const known = indexes.get(all) ?? new Map(all.map((each) => [each.name, each]));
  indexes.set(all, known);
  const found = known.get(name);
  if (found) return found as T;
  throw new RangeError(`the plan holds nothing that is called ${JSON.stringify(name)}`);
}
