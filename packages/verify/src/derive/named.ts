/** Returns what has a name in a plan. Errors: RangeError where nothing has it. */
export function named<T extends { readonly name: string }>(all: readonly T[], name: string): T {
  const found = all.find((each) => each.name === name);
  if (found) return found;
  throw new RangeError(`the plan holds nothing that is called ${JSON.stringify(name)}`);
}
