interface Named {
  readonly name: string;
}

/** The places of a list's members by their names, so that a stranger's plan of many parts takes no time that grows with their square. */
const indexes = new WeakMap<readonly Named[], ReadonlyMap<string, number>>();

/** Returns what has a name in a plan. Errors: RangeError where nothing has it. */
export function named<T extends Named>(all: readonly T[], name: string): T {
  return all[placeOf(all, name)] ?? missing(name);
}

/** Returns the place in its list of what has a name in a plan. Errors: RangeError where nothing has it. */
export function placeOf(all: readonly Named[], name: string): number {
  const known = indexes.get(all) ?? new Map(all.map((each, place) => [each.name, place]));
  indexes.set(all, known);
  return known.get(name) ?? missing(name);
}

function missing(name: string): never {
  throw new RangeError(`the plan holds nothing that is called ${JSON.stringify(name)}`);
}
